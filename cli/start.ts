/** The entry file of `thru`: it loads the command, which is next to it, through the compile cache. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { compile } from './compile-cache'
import { compiledDirectory } from './compiled-directory'

/** Commands whose start people wait for; others compile too little to fill the cache. */
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
