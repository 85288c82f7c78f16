/* The first and only process beside the agent on an emulated arm64 kernel (scripts/bench-arm64):
   starts the agent some times, measures, prints and turns the machine off.

   One line per value: "RESULT name number". Milliseconds are of the emulator; their ratio to those
   of a program that does nothing but start says more. Memory is the kernel's own account. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <net/if.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { RUNS = 9, IDLE_SECONDS = 20 };
static const char notify_path[] = "/run/notify";
static char program[] = "/usr/bin/matter-gateway";

static double now_ms(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return time.tv_sec * 1e3 + time.tv_nsec / 1e6;
}

static void die(const char *what) {
  perror(what);
  reboot(RB_POWER_OFF);
}

static void put(const char *path, const char *text) {
  int file = open(path, O_WRONLY);
  if (file < 0 || write(file, text, strlen(text)) < 0) die(path);
  close(file);
}

static void set_up(const char *interface) {
  int handle = socket(AF_INET6, SOCK_DGRAM, 0);
  struct ifreq request = {0};
  strncpy(request.ifr_name, interface, IFNAMSIZ - 1);
  if (ioctl(handle, SIOCGIFFLAGS, &request) != 0) die(interface);
  request.ifr_flags |= IFF_UP | IFF_MULTICAST;
  if (ioctl(handle, SIOCSIFFLAGS, &request) != 0) die(interface);
  close(handle);
}

static void prepare(void) {
  mount("proc", "/proc", "proc", 0, "");
  mount("sys", "/sys", "sysfs", 0, "");
  mount("dev", "/dev", "devtmpfs", 0, "");
  mount("run", "/run", "tmpfs", 0, "");
  mount("var", "/var", "tmpfs", 0, "");
  mkdir("/var/lib", 0755);
  /* A link that leads nowhere, with an address at once: the agent wants one to be ready. */
  int module = open("/dummy.ko", O_RDONLY);
  if (module < 0 || syscall(SYS_finit_module, module, "", 0) != 0) die("dummy.ko");
  close(module);
  put("/proc/sys/net/ipv6/conf/dummy0/accept_dad", "0");
  set_up("lo");
  set_up("dummy0");
}

static pid_t start(char *const arguments[]) {
  pid_t process = fork();
  if (process != 0) return process;
  int null = open("/dev/null", O_RDWR);
  dup2(null, 0);
  dup2(null, 1);
  setenv("NOTIFY_SOCKET", notify_path, 1);
  execv(arguments[0], arguments);
  _exit(127);
}

/* Until the agent says that it is ready; false where it does not in a minute. */
static int is_ready(int manager) {
  char text[4096];
  for (;;) {
    ssize_t size = recv(manager, text, sizeof text - 1, 0);
    if (size < 0) return 0;
    text[size] = 0;
    if (strstr(text, "READY=1")) return 1;
  }
}

static int compare(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

static double median(double *times) {
  qsort(times, RUNS, sizeof *times, compare);
  return times[RUNS / 2];
}

static void memory(pid_t process) {
  char path[64], line[256], name[64];
  long kibibytes;
  snprintf(path, sizeof path, "/proc/%d/smaps_rollup", process);
  FILE *file = fopen(path, "r");
  if (!file) die(path);
  while (fgets(line, sizeof line, file))
    if (sscanf(line, "%63[A-Za-z_]: %ld kB", name, &kibibytes) == 2)
      printf("RESULT %s %ld\n", name, kibibytes);
  fclose(file);
}

int main(void) {
  double booted = now_ms(CLOCK_BOOTTIME);
  prepare();
  int manager = socket(AF_UNIX, SOCK_DGRAM, 0);
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strcpy(address.sun_path, notify_path);
  struct timeval limit = {.tv_sec = 60};
  if (bind(manager, (struct sockaddr *)&address, sizeof address) != 0) die("notify");
  setsockopt(manager, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);

  char *version[] = {program, "version", NULL}, *run[] = {program, "run", NULL};
  char *test[] = {program, "self-test", NULL}, *nothing[] = {"/nothing", NULL};
  double bare[RUNS], alone[RUNS], ready[RUNS];
  pid_t agent = 0;
  int status;
  for (int index = 0; index < RUNS; index++) {
    double begun = now_ms(CLOCK_MONOTONIC);
    waitpid(start(nothing), &status, 0);
    bare[index] = now_ms(CLOCK_MONOTONIC) - begun;
    begun = now_ms(CLOCK_MONOTONIC);
    waitpid(start(version), &status, 0);
    if (status != 0) die("version");
    alone[index] = now_ms(CLOCK_MONOTONIC) - begun;
    begun = now_ms(CLOCK_MONOTONIC);
    agent = start(run);
    if (!is_ready(manager)) die("the agent is not ready");
    ready[index] = now_ms(CLOCK_MONOTONIC) - begun;
    if (index == 0)
      printf("RESULT boot_to_ready_ms %.0f\n", now_ms(CLOCK_BOOTTIME));
    if (index + 1 == RUNS) break;
    kill(agent, SIGTERM);
    waitpid(agent, &status, 0);
    if (status != 0) die("the agent's end");
  }
  printf("RESULT boot_ms %.0f\n", booted);
  printf("RESULT nothing_ms %.2f\nRESULT version_ms %.2f\nRESULT ready_ms %.2f\n", median(bare),
         median(alone), median(ready));
  sleep(IDLE_SECONDS);
  memory(agent);
  waitpid(start(test), &status, 0);
  printf("RESULT self_test_exit %d\nRESULT end 1\n", WEXITSTATUS(status));
  fflush(stdout);
  sync();
  return reboot(RB_POWER_OFF);
}
