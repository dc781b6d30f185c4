// Plain HTTP without encryption or verification: nginx at the sender.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

const port = 8000

const urlOf = (lab, path) => `http://${lab.address('sender')}:${port}/${path}`
const listOf = (lab) => join(lab.work, 'urls')

function filesBelow(folder, name) {
  return readdirSync(join(folder, name), { withFileTypes: true }).flatMap((entry) => {
    const path = join(name, entry.name)
    return entry.isDirectory() ? filesBelow(folder, path) : [path]
  })
}

function prepare(lab) {
  const below = (name) => join(lab.work, name)
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  for (const name of folders) mkdirSync(below(name))
  const configuration = [
    'daemon off; master_process off; user root; error_log stderr warn;',
    `pid ${below('nginx.pid')};`,
    'events { worker_connections 1024; }',
    'http { access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000;',
    ...folders.map((name) => `${name}_temp_path ${below(name)};`),
    `server { listen ${port}; root ${dirname(lab.source)}; } }`,
  ]
  writeFileSync(below('nginx.conf'), `${configuration.join('\n')}\n`)
  if (!lab.isTree) return
  const urls = filesBelow(dirname(lab.source), basename(lab.source)).map((path) => urlOf(lab, path))
  writeFileSync(listOf(lab), `${urls.join('\n')}\n`)
}

const daemons = (lab) => [
  { place: 'sender', argv: ['nginx', '-c', join(lab.work, 'nginx.conf')], port },
]

export const wget = {
  name: 'wget',
  about: 'wget from nginx over plain HTTP, one connection',
  needs: ['nginx', 'wget'],
  install: 'apt-get install nginx-light wget',
  version: ['wget', '--version'],
  ...{ prepare, daemons },
  receive: (lab) =>
    lab.isTree
      ? ['wget', '-q', '-x', '-nH', '-i', listOf(lab)]
      : ['wget', '-q', urlOf(lab, basename(lab.source))],
}

export const axel = {
  name: 'axel',
  about: 'axel from nginx over plain HTTP, 20 connections',
  needs: ['nginx', 'axel'],
  install: 'apt-get install nginx-light axel',
  version: ['axel', '--version'],
  ...{ prepare, daemons },
  takesTrees: false,
  receive: (lab) => ['axel', '-q', '-n', '20', urlOf(lab, basename(lab.source))],
}
