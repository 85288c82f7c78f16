/* The reader of `key = value` lines that LinuxIO uses. */
#pragma once
#include <ini.h>
