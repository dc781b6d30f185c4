/** The file that is run as `thru`: the command itself is beside it, and is compiled once for all its starts. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { compile } from './compile-cache'
import { compiledDirectory } from './compiled-directory'

/** The commands for whose start people wait; what others compile is too little for them. */
const awaited: ReadonlySet<string> = new Set(['host', 'send', 'join', 'receive', 'resume'])

type ModuleFunction = (
  exports: object,
  require: NodeJS.Require,
  module: { readonly exports: object },
  filename: string,
  dirname: string,
) => void

const file = join(__dirname, 'program.cjs')
const { script, isCached, keep } = compile(readFileSync(file), file, compiledDirectory())
if (!isCached && awaited.has(process.argv[2] ?? '')) process.once('exit', keep)
const program = { exports: {} }
const run = script.runInThisContext() as ModuleFunction
run(program.exports, createRequire(file), program, file, __dirname)
