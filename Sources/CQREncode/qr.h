/* The maker of QR symbols that LinuxIO uses. */
#pragma once
#include <qrencode.h>
