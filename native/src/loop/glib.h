// GLib as the oldest supported systems have it. In the app, GTK has loaded the system's GLib before
// the engine, which gets that one, older or newer than what it was built with. libnice asks for
// nothing newer than this either.
#pragma once

#define GLIB_VERSION_MIN_REQUIRED GLIB_VERSION_2_54
#define GLIB_VERSION_MAX_ALLOWED GLIB_VERSION_2_54
#include <glib.h>
