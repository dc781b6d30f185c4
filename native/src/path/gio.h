// GIO, which brings GLib, as path/glib.h asks for it.
#pragma once

#include "path/glib.h"

#include <gio/gio.h>
