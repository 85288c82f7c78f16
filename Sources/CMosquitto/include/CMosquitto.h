/* One connection to an MQTT broker through libmosquitto, without a thread, for whoever polls its
 * descriptor. With TLS the broker is connected by its address and verified by its name, which
 * libmosquitto alone cannot do: what it verifies is what it would look up, and its lookup blocks. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* A connection that was begun. */
struct cmosquitto;

struct cmosquitto_settings {
    const char *client_id;
    /* Numeric. */
    const char *address;
    /* What the broker's certificate must be for; NULL connects without TLS. */
    const char *verified_name;
    uint16_t port;
    int keep_alive_seconds;
    /* PEM files. NULL for `authorities` takes the system's. */
    const char *authorities;
    const char *certificate;
    const char *key;
    /* NULL is none. */
    const char *user;
    const char *password;
    const char *will_topic;
    const char *will_payload;
    /* Publications that wait for their acknowledgement at once. */
    unsigned int in_flight;
};

/* What happened; called from within the calls below, and must call none of them. */
struct cmosquitto_calls {
    /* The broker's answer, MQTT 3.1.1 §3.2.2.3: 0 is a connection. */
    void (*connected)(void *context, int code);
    void (*published)(void *context, uint16_t id);
    void (*received)(
        void *context, const char *topic, const void *payload, size_t size, int is_retained);
};

enum cmosquitto_fault {
    CMOSQUITTO_FAULT_NONE,
    CMOSQUITTO_FAULT_MEMORY,
    /* What errno says. */
    CMOSQUITTO_FAULT_SYSTEM,
    CMOSQUITTO_FAULT_AUTHORITIES,
    CMOSQUITTO_FAULT_CERTIFICATE,
    CMOSQUITTO_FAULT_KEY,
    /* The handshake failed: see cmosquitto_verification. */
    CMOSQUITTO_FAULT_TLS,
    /* The other end has closed, is silent, or speaks no MQTT. */
    CMOSQUITTO_FAULT_LOST,
};

/* Begins a connection; never blocks. On success `*made` is to be given to cmosquitto_close, else
 * `*verification` is what cmosquitto_verification would say. */
enum cmosquitto_fault cmosquitto_open(
    const struct cmosquitto_settings *settings, const struct cmosquitto_calls *calls,
    void *context, struct cmosquitto **made, int *verification);

/* Closes at once. Without cmosquitto_disconnect before, the broker publishes the will. */
void cmosquitto_close(struct cmosquitto *connection);

/* -1 once it is closed. */
int cmosquitto_descriptor(const struct cmosquitto *connection);
int cmosquitto_wants_writing(const struct cmosquitto *connection);

/* To be called when the descriptor has an event. */
enum cmosquitto_fault cmosquitto_work(struct cmosquitto *connection);
/* To be called every few seconds: says that we live, and sees whether the broker does. */
enum cmosquitto_fault cmosquitto_keep_alive(struct cmosquitto *connection);

/* What OpenSSL found wrong with the broker's certificate, X509_V_ERR_; 0 is nothing. */
int cmosquitto_verification(const struct cmosquitto *connection);

/* At least once. Returns the publication's id, 0 when it is not taken. */
uint16_t cmosquitto_publish(
    struct cmosquitto *connection, const char *topic, const void *payload, size_t size,
    int is_retained);
/* At least once. 0 when it is taken. */
int cmosquitto_subscribe(struct cmosquitto *connection, const char *filter);
int cmosquitto_unsubscribe(struct cmosquitto *connection, const char *filter);
/* Says goodbye, so that the will is not published. */
void cmosquitto_disconnect(struct cmosquitto *connection);

/* Of cmosquitto_verification. */
enum cmosquitto_verification_result {
    CMOSQUITTO_NOT_YET_VALID = 9,
    CMOSQUITTO_EXPIRED = 10,
    CMOSQUITTO_OTHER_NAME = 62,
    CMOSQUITTO_OTHER_ADDRESS = 64,
};
