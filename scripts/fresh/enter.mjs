// Running something in a fresh system, which is a folder.

/** How this machine reaches its registries, and nothing else of its environment. */
function environment() {
  const passed =
    /^(.*_proxy|NODE_EXTRA_CA_CERTS|(SSL|PIP|CURL|REQUESTS)_(CA_BUNDLE|CERT\w*)|PIP_INDEX_URL|npm_config_registry|CI)$/i
  return {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => passed.test(name))),
    HOME: '/root',
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    LANG: 'C.UTF-8',
    TERM: process.env.TERM ?? 'dumb',
  }
}

// Process ids, /proc, /run and /dev/shm of its own; the network and /sys of this machine. The inner shell stays the first
// process: an X server does not tell that one when it is ready, so that xvfb-run in its place would wait for ever.
const inside = `
set -e
mount --make-rprivate /
for d in dev sys; do mount --rbind "/$d" "$0/$d"; done
mount -t proc proc "$0/proc"
mount -t tmpfs tmpfs "$0/dev/shm"
mount -t tmpfs -o mode=755 tmpfs "$0/run"
exec chroot "$0" sh -c "$1; exit \\$?"
`

/** How a shell command runs in the folder `system`: a program, its arguments and environment. Root only. */
export function entering(system, command) {
  const isolated = ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', inside]
  return { program: 'unshare', args: [...isolated, system, command], env: environment() }
}
