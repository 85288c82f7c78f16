#include "CMosquitto.h"

#ifdef CMOSQUITTO

#include <arpa/inet.h>
#include <errno.h>
#include <mosquitto.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

_Static_assert(CMOSQUITTO_NOT_YET_VALID == X509_V_ERR_CERT_NOT_YET_VALID, "as OpenSSL has it");
_Static_assert(CMOSQUITTO_EXPIRED == X509_V_ERR_CERT_HAS_EXPIRED, "as OpenSSL has it");
_Static_assert(CMOSQUITTO_OTHER_NAME == X509_V_ERR_HOSTNAME_MISMATCH, "as OpenSSL has it");
_Static_assert(CMOSQUITTO_OTHER_ADDRESS == X509_V_ERR_IP_ADDRESS_MISMATCH, "as OpenSSL has it");

struct cmosquitto {
    struct mosquitto *client;
    SSL_CTX *tls;
    struct cmosquitto_calls calls;
    void *context;
    char *name;
    int name_is_address;
    int verification;
    int is_connected;
};

static void on_connect(struct mosquitto *client, void *object, int code) {
    struct cmosquitto *connection = object;
    (void)client;
    connection->is_connected = 1;
    connection->calls.connected(connection->context, code);
}

static void on_publish(struct mosquitto *client, void *object, int id) {
    struct cmosquitto *connection = object;
    (void)client;
    connection->calls.published(connection->context, (uint16_t)id);
}

static void on_message(
    struct mosquitto *client, void *object, const struct mosquitto_message *message) {
    struct cmosquitto *connection = object;
    (void)client;
    connection->calls.received(
        connection->context, message->topic, message->payload, (size_t)message->payloadlen,
        message->retain);
}

/* The first thing that is wrong is what a person is told. */
static int on_verify(int is_good, X509_STORE_CTX *store) {
    SSL *tls = X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx());
    struct cmosquitto *connection = SSL_CTX_get_app_data(SSL_get_SSL_CTX(tls));
    if (!is_good && connection->verification == 0)
        connection->verification = X509_STORE_CTX_get_error(store);
    return is_good;
}

/* The name that the broker is asked for must be its name; libmosquitto has set its address. */
static void on_handshake(const SSL *tls, int where, int value) {
    (void)value;
    if (!(where & SSL_CB_HANDSHAKE_START)) return;
    struct cmosquitto *connection = SSL_CTX_get_app_data(SSL_get_SSL_CTX(tls));
    /* An address is no server name: RFC 6066, section 3. */
    const char *name = connection->name_is_address ? NULL : connection->name;
    SSL_set_tlsext_host_name((SSL *)tls, name);
}

static int is_address(const char *text) {
    unsigned char octets[16];
    return inet_pton(AF_INET, text, octets) == 1 || inet_pton(AF_INET6, text, octets) == 1;
}

static enum cmosquitto_fault set_tls(
    struct cmosquitto *connection, const struct cmosquitto_settings *settings) {
    SSL_CTX *tls = SSL_CTX_new(TLS_client_method());
    if (tls == NULL) return CMOSQUITTO_FAULT_MEMORY;
    connection->tls = tls;
    connection->name = strdup(settings->verified_name);
    if (connection->name == NULL) return CMOSQUITTO_FAULT_MEMORY;
    connection->name_is_address = is_address(connection->name);
    SSL_CTX_set_app_data(tls, connection);
    SSL_CTX_set_min_proto_version(tls, TLS1_2_VERSION);
    int has_authorities = settings->authorities != NULL
        ? SSL_CTX_load_verify_locations(tls, settings->authorities, NULL)
        : SSL_CTX_set_default_verify_paths(tls);
    if (has_authorities != 1) return CMOSQUITTO_FAULT_AUTHORITIES;
    X509_VERIFY_PARAM *rules = SSL_CTX_get0_param(tls);
    X509_VERIFY_PARAM_set_hostflags(rules, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
    int is_named = connection->name_is_address
        ? X509_VERIFY_PARAM_set1_ip_asc(rules, connection->name)
        : X509_VERIFY_PARAM_set1_host(rules, connection->name, 0);
    if (is_named != 1) return CMOSQUITTO_FAULT_MEMORY;
    SSL_CTX_set_verify(tls, SSL_VERIFY_PEER, on_verify);
    SSL_CTX_set_info_callback(tls, on_handshake);
    if (settings->certificate != NULL) {
        if (SSL_CTX_use_certificate_chain_file(tls, settings->certificate) != 1)
            return CMOSQUITTO_FAULT_CERTIFICATE;
        if (SSL_CTX_use_PrivateKey_file(tls, settings->key, SSL_FILETYPE_PEM) != 1 ||
            SSL_CTX_check_private_key(tls) != 1)
            return CMOSQUITTO_FAULT_KEY;
    }
    if (mosquitto_int_option(connection->client, MOSQ_OPT_SSL_CTX_WITH_DEFAULTS, 0) ||
        mosquitto_void_option(connection->client, MOSQ_OPT_SSL_CTX, tls))
        return CMOSQUITTO_FAULT_MEMORY;
    return CMOSQUITTO_FAULT_NONE;
}

/* How the connection of the descriptor below failed; 0 when it has not. libmosquitto takes it for
 * something that may still come about when TLS is to go over it. */
static int failure(int descriptor) {
    int error = 0;
    socklen_t size = sizeof error;
    if (getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &size) != 0) return 0;
    return error;
}

static enum cmosquitto_fault fault(const struct cmosquitto *connection, int code) {
    switch (code) {
    case MOSQ_ERR_SUCCESS:
    case MOSQ_ERR_CONN_PENDING: return CMOSQUITTO_FAULT_NONE;
    case MOSQ_ERR_NOMEM: return CMOSQUITTO_FAULT_MEMORY;
    case MOSQ_ERR_TLS: return CMOSQUITTO_FAULT_TLS;
    case MOSQ_ERR_ERRNO:
        /* libmosquitto says so of some failed handshakes as well. */
        if (connection->verification != 0) return CMOSQUITTO_FAULT_TLS;
        return errno != 0 ? CMOSQUITTO_FAULT_SYSTEM : CMOSQUITTO_FAULT_LOST;
    default: return CMOSQUITTO_FAULT_LOST;
    }
}

static enum cmosquitto_fault begin(
    struct cmosquitto *connection, const struct cmosquitto_settings *settings) {
    struct mosquitto *client = connection->client;
    mosquitto_connect_callback_set(client, on_connect);
    mosquitto_publish_callback_set(client, on_publish);
    mosquitto_message_callback_set(client, on_message);
    mosquitto_max_inflight_messages_set(client, settings->in_flight);
    if (settings->user != NULL &&
        mosquitto_username_pw_set(client, settings->user, settings->password))
        return CMOSQUITTO_FAULT_MEMORY;
    if (mosquitto_will_set(
            client, settings->will_topic, (int)strlen(settings->will_payload),
            settings->will_payload, 1, true))
        return CMOSQUITTO_FAULT_MEMORY;
    if (settings->verified_name != NULL) {
        enum cmosquitto_fault wrong = set_tls(connection, settings);
        if (wrong != CMOSQUITTO_FAULT_NONE) return wrong;
    }
    errno = 0;
    int code = mosquitto_connect_async(
        client, settings->address, settings->port, settings->keep_alive_seconds);
    int is_hopeless = errno == ECONNREFUSED || errno == ENETUNREACH || errno == EHOSTUNREACH;
    if (code == MOSQ_ERR_SUCCESS && is_hopeless) return CMOSQUITTO_FAULT_SYSTEM;
    return fault(connection, code);
}

static pthread_once_t once = PTHREAD_ONCE_INIT;
static void begin_library(void) { mosquitto_lib_init(); }

enum cmosquitto_fault cmosquitto_open(
    const struct cmosquitto_settings *settings, const struct cmosquitto_calls *calls,
    void *context, struct cmosquitto **made, int *verification) {
    pthread_once(&once, begin_library);
    struct cmosquitto *connection = calloc(1, sizeof *connection);
    if (connection == NULL) return CMOSQUITTO_FAULT_MEMORY;
    connection->calls = *calls;
    connection->context = context;
    connection->client = mosquitto_new(settings->client_id, true, connection);
    enum cmosquitto_fault wrong = connection->client == NULL ? CMOSQUITTO_FAULT_MEMORY
                                                             : begin(connection, settings);
    if (wrong == CMOSQUITTO_FAULT_NONE) {
        *made = connection;
        return wrong;
    }
    int error = errno;
    *verification = connection->verification;
    cmosquitto_close(connection);
    errno = error;
    return wrong;
}

void cmosquitto_close(struct cmosquitto *connection) {
    if (connection->client != NULL) mosquitto_destroy(connection->client);
    SSL_CTX_free(connection->tls);
    free(connection->name);
    free(connection);
}

int cmosquitto_descriptor(const struct cmosquitto *connection) {
    return mosquitto_socket(connection->client);
}

int cmosquitto_wants_writing(const struct cmosquitto *connection) {
    return mosquitto_want_write(connection->client);
}

enum cmosquitto_fault cmosquitto_work(struct cmosquitto *connection) {
    if (!connection->is_connected) {
        errno = failure(mosquitto_socket(connection->client));
        if (errno != 0) return CMOSQUITTO_FAULT_SYSTEM;
    }
    errno = 0;
    /* Reading comes first: it is what goes on with a handshake, also when that waits to write. */
    int code = mosquitto_loop_read(connection->client, 1);
    if (code == MOSQ_ERR_SUCCESS && mosquitto_want_write(connection->client))
        code = mosquitto_loop_write(connection->client, 1);
    return fault(connection, code);
}

enum cmosquitto_fault cmosquitto_keep_alive(struct cmosquitto *connection) {
    errno = 0;
    return fault(connection, mosquitto_loop_misc(connection->client));
}

int cmosquitto_verification(const struct cmosquitto *connection) {
    return connection->verification;
}

uint16_t cmosquitto_publish(
    struct cmosquitto *connection, const char *topic, const void *payload, size_t size,
    int is_retained) {
    int id = 0;
    int code = mosquitto_publish(
        connection->client, &id, topic, (int)size, payload, 1, is_retained != 0);
    return code == MOSQ_ERR_SUCCESS ? (uint16_t)id : 0;
}

int cmosquitto_subscribe(struct cmosquitto *connection, const char *filter) {
    return mosquitto_subscribe(connection->client, NULL, filter, 1);
}

int cmosquitto_unsubscribe(struct cmosquitto *connection, const char *filter) {
    return mosquitto_unsubscribe(connection->client, NULL, filter);
}

void cmosquitto_disconnect(struct cmosquitto *connection) {
    mosquitto_disconnect(connection->client);
}

#endif
