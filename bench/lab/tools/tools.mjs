// The tools that can be compared. An adapter names its tool (`name`, `about`, `version`), the programs that it `needs` and how to `install`
// them, and says how to use them as functions of a `lab`: `prepare` writes configurations into `lab.work`,
// `daemons` run before and listen when they say `ready` or at `port`, `send` and `receive` are the commands of the two
// sides, of which a tool that pushes or pulls has one. `code` finds in what the sender says what the receiver needs.
// `isOptional` leaves it out unless it is named, `takesTrees` is false when it takes single files only, `needsAddress` says
// that no NAT may be between the sides, and `ignored` are
// names of files of the tool's own. Adding one is a matter of an adapter and its place in the list.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { crocTool, wormhole } from './codes.mjs'
import { dd } from './dd.mjs'
import { axel, wget } from './http.mjs'
import { rsync, scp } from './ssh.mjs'
import { tar } from './tar.mjs'
import { thru, thruRelayed, thruRelayedTcp, thruRelayedTcpWide, thruRelayedWide } from './thru.mjs'
import { uftp } from './uftp.mjs'

export const tools = [
  thru,
  thruRelayed,
  thruRelayedTcp,
  thruRelayedTcpWide,
  thruRelayedWide,
  crocTool,
  wormhole,
  scp,
  rsync,
  wget,
  axel,
  uftp,
  tar,
  dd,
]

const folders = () => [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/sbin']

export const isInstalled = ({ needs }) =>
  needs.every((program) => folders().some((folder) => existsSync(join(folder, program))))
