// What can be compared. An adapter names its tool (`name`, `about`, `version`), the programs that it `needs` and how to
// `install` them, and says how to use them as functions of a `lab`: `prepare` writes configurations into `lab.work`,
// `daemons` run before and listen when they say `ready` or at `port`, `send` and `receive` are the commands of the two
// sides, of which a tool that pushes or pulls has one. `code` finds in what the sender says what the receiver needs.
// `ignored` are names of files of the tool's own.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { thru } from './thru.mjs'

export const tools = [thru]

const folders = () => [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/sbin']

export const isInstalled = ({ needs }) =>
  needs.every((program) => folders().some((folder) => existsSync(join(folder, program))))
