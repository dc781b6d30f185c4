// Tools that copy over OpenSSH, with a separate server at the receiver and keys for a single transfer.
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const port = 2222
const install = 'apt-get install openssh-client openssh-server'
const needs = ['ssh', 'sshd', 'ssh-keygen']

const keyOf = (lab) => join(lab.work, 'client')
const clientOf = (lab) => join(lab.work, 'ssh_config')

function prepare(lab) {
  mkdirSync('/run/sshd', { recursive: true })
  for (const name of ['host', 'client'])
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(lab.work, name)])
  const server = {
    Port: port,
    HostKey: join(lab.work, 'host'),
    PidFile: 'none',
    AuthorizedKeysFile: join(lab.work, 'client.pub'),
    StrictModes: 'no',
    UsePAM: 'no',
    PasswordAuthentication: 'no',
    PermitRootLogin: 'prohibit-password',
    UseDNS: 'no',
    // Keeps the shell from reading the current user's startup files.
    SetEnv: 'SHLVL=5',
    Subsystem: 'sftp internal-sftp',
  }
  const client = {
    HostName: lab.address('receiver'),
    Port: port,
    User: 'root',
    IdentityFile: keyOf(lab),
    IdentitiesOnly: 'yes',
    StrictHostKeyChecking: 'no',
    UserKnownHostsFile: '/dev/null',
    LogLevel: 'ERROR',
  }
  const lines = (options) => Object.entries(options).map((entry) => entry.join(' '))
  writeFileSync(join(lab.work, 'sshd_config'), `${lines(server).join('\n')}\n`)
  writeFileSync(clientOf(lab), `Host receiver\n${lines(client).join('\n')}\n`)
}

/** sshd requires its absolute path. */
const sshd = '/usr/sbin/sshd'
const daemons = (lab) => [
  { place: 'receiver', argv: [sshd, '-D', '-e', '-f', join(lab.work, 'sshd_config')], port },
]

/** Copies by rsync over SSH, from the sender's side. */
export const rsyncCommand = (lab, from, to, ...options) => [
  ...['rsync', '-a', ...options, '-e', `ssh -F ${clientOf(lab)}`],
  ...[from, `receiver:${to}`],
]

const target = (lab) => `receiver:${lab.out}/`

export const scp = {
  name: 'scp',
  about: 'scp of OpenSSH with default settings',
  ...{ needs: ['scp', ...needs], install, version: ['ssh', '-V'], prepare, daemons },
  send: (lab) => ['scp', '-q', '-r', '-F', clientOf(lab), lab.source, target(lab)],
}

export const rsync = {
  name: 'rsync',
  about: 'rsync -a over OpenSSH',
  ...{ needs: ['rsync', ...needs], version: ['rsync', '--version'], prepare, daemons },
  install: `${install} rsync`,
  send: (lab) => rsyncCommand(lab, lab.source, `${lab.out}/`),
}
