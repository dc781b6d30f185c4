// Runs commands in a fresh system, which is a folder.

/** The variables for reaching package registries, without the rest of the environment. */
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

// The system has separate process ids, /proc, /run and /dev/shm, and this machine's network and /sys. The inner shell
// stays process 1: an X server doesn't signal its readiness to process 1, so xvfb-run in its place would wait forever.
const inside = `
set -e
mount --make-rprivate /
for d in dev sys; do mount --rbind "/$d" "$0/$d"; done
mount -t proc proc "$0/proc"
mount -t tmpfs tmpfs "$0/dev/shm"
mount -t tmpfs -o mode=755 tmpfs "$0/run"
exec chroot "$0" sh -c "$1; exit \\$?"
`

/** Returns the program, arguments and environment that run a shell command in the folder `system`. Root only. */
export function entering(system, command) {
  const isolated = ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', inside]
  return { program: 'unshare', args: [...isolated, system, command], env: environment() }
}
