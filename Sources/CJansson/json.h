/* The JSON reader that LinuxIO uses. */
#pragma once
#include <jansson.h>
