// The cost of many files without the guarantees of a transfer tool.
import { basename, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

const port = '7000'
const end = fileURLToPath(new URL('../../lib/tar-end.mjs', import.meta.url))
const tarEnd = (...words) => [process.execPath, end, ...words]

export const tar = {
  name: 'tar',
  about: 'tar c to tar x over TCP, neither encrypted nor verified',
  isOptional: true,
  needs: ['tar'],
  install: 'apt-get install tar',
  version: ['tar', '--version'],
  daemons: (lab) => [
    {
      place: 'sender',
      argv: tarEnd(
        ...['send', lab.address('sender'), port],
        ...[dirname(lab.source), basename(lab.source)],
      ),
      ready: /ready/,
    },
  ],
  receive: (lab) => tarEnd('receive', lab.address('sender'), port, lab.out),
}
