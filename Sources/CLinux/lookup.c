/* Looking up a name in a process of its own, which may be ended. */
#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

_Static_assert(sizeof(struct clinux_lookup) <= 4096, "a pipe takes it at once");

static void add(struct clinux_lookup *answer, const struct sockaddr *address) {
    struct clinux_peer *found = &answer->found[answer->count];
    if (address->sa_family == AF_INET6) {
        const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)address;
        memcpy(found->address, &six->sin6_addr, 16);
        found->scope = six->sin6_scope_id;
    } else if (address->sa_family == AF_INET) {
        const struct sockaddr_in *four = (const struct sockaddr_in *)address;
        found->address[10] = found->address[11] = 0xFF;
        memcpy(found->address + 12, &four->sin_addr, 4);
    } else {
        return;
    }
    answer->count += 1;
}

/* Never returns. Everything of the parent's but the pipe is closed: a socket that the child held
 * open would outlive its owner. */
static void answer(const char *host, int pipe, unsigned int seconds) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGALRM, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    alarm(seconds);
    if (dup2(pipe, 3) != 3) _exit(1);
    if (close_range(4, ~0U, 0) != 0)
        for (int other = 4; other < 1024; other++) close(other);
    struct clinux_lookup answer;
    memset(&answer, 0, sizeof answer);
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
    struct addrinfo *list = NULL;
    answer.error = getaddrinfo(host, NULL, &hints, &list);
    if (answer.error == 0)
        for (struct addrinfo *next = list; next != NULL; next = next->ai_next)
            if (answer.count < CLINUX_FOUND) add(&answer, next->ai_addr);
    ssize_t written = write(3, &answer, sizeof answer);
    _exit(written == (ssize_t)sizeof answer ? 0 : 1);
}

int clinux_begin_lookup(const char *host, unsigned int seconds, pid_t *child) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return -1;
    pid_t made = fork();
    if (made == 0) answer(host, ends[1], seconds);
    int error = errno;
    close(ends[1]);
    if (made < 0 || fcntl(ends[0], F_SETFL, O_NONBLOCK) != 0) {
        if (made >= 0) error = errno;
        close(ends[0]);
        errno = error;
        return -1;
    }
    *child = made;
    return ends[0];
}

int clinux_end_lookup(pid_t child) {
    kill(child, SIGKILL);
    /* It is gone at once but for a kernel that is busy with it. */
    const struct timespec moment = {.tv_nsec = 100000};
    for (int turn = 0; turn < 100; turn++) {
        pid_t ended = waitpid(child, NULL, WNOHANG);
        if (ended > 0 || (ended < 0 && errno != EINTR)) return 1;
        nanosleep(&moment, NULL);
    }
    return 0;
}
