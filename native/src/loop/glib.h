// GLib as the oldest supported systems have it. In the app, GTK has already loaded the system's
// GLib, which may be older or newer than the build's. libnice needs nothing newer either.
#pragma once

#define GLIB_VERSION_MIN_REQUIRED GLIB_VERSION_2_54
#define GLIB_VERSION_MAX_ALLOWED GLIB_VERSION_2_54
#include <glib.h>
