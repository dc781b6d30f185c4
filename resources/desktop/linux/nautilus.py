"""Adds "Send with Thruflux" to the menu of GNOME Files, for local files."""

import subprocess

from gi.repository import GObject, Nautilus

LABEL = "Send with Thruflux"


class SendWithThruflux(GObject.GObject, Nautilus.MenuProvider):
    def get_file_items(self, *args):
        # Before version 43, Nautilus passes the window first.
        files = args[-1]
        paths = [file.get_location().get_path() for file in files]
        if not paths or None in paths:
            return []
        item = Nautilus.MenuItem(name="Thruflux::send", label=LABEL, icon="thruflux")
        item.connect("activate", self.send, paths)
        return [item]

    def send(self, _item, paths):
        subprocess.Popen(["thruflux", *paths], stdin=subprocess.DEVNULL)
