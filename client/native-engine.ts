/** Finds and loads the native engine, or reports exactly which files were tried. */
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import type { EngineModule } from '#client/engine'
import { type AppError, appError } from '#shared/errors'
import { err, ok, type Result } from '#shared/result'

/** Possible places of the engine; a named place is the only one tried. */
export type EngineLocation = {
  /** The file itself, if the caller knows it. */
  readonly path?: string | undefined
  /** The value of the environment variable `THRU_ADDON`. */
  readonly override?: string | undefined
  /** Folder of the running bundle, `out/<program>`; the engine is then in `out/native`. */
  readonly bundle?: string | undefined
  /** The packaged application's resources folder. */
  readonly resources?: string | undefined
}

const fileName = 'thruflux.node'

const remedy =
  'Build the engine with "npm run native", or name the file in the variable THRU_ADDON.'

/** The candidate files, in the order in which they are tried. */
export function engineCandidates(location: EngineLocation): readonly string[] {
  const named = location.path ?? location.override
  if (named !== undefined && named !== '') return [resolve(named)]
  const candidates: string[] = []
  if (location.bundle !== undefined) {
    // A packaged bundle is in an archive, from which the system can't load a library.
    const bundle = location.bundle.replace(/app\.asar(?=[\\/]|$)/, 'app.asar.unpacked')
    candidates.push(join(bundle, '..', 'native', fileName))
  }
  if (location.resources !== undefined) {
    candidates.push(join(location.resources, 'native', fileName))
    candidates.push(join(location.resources, fileName))
  }
  return candidates
}

/** The engine's exports. Error: `E_INTERNAL`, whose detail lists each file with its reason. */
export function loadEngine(location: EngineLocation): Result<EngineModule, AppError> {
  const tried: string[] = []
  for (const file of engineCandidates(location)) {
    try {
      const loaded: unknown = createRequire(file)(file)
      if (isEngineModule(loaded)) return ok(loaded)
      tried.push(`${file}: not an engine of this version`)
    } catch (reason) {
      tried.push(`${file}: ${firstLine(reason)}`)
    }
  }
  const list = tried.length === 0 ? 'no place to look in was given' : tried.join('; ')
  return err(
    appError(
      'E_INTERNAL',
      `the native engine could not be loaded on ${process.platform} ${process.arch}: ${list}. ${remedy}`,
    ),
  )
}

const functions = [
  'newWords',
  'isJoinCode',
  'versions',
  'createEngine',
  'socketBuffers',
  'probePath',
  'endProcessWithin',
  'newContactKey',
  'contactMailbox',
  'sealInvitation',
  'openInvitation',
] as const satisfies readonly (keyof EngineModule)[]

const isEngineModule = (loaded: unknown): loaded is EngineModule =>
  typeof loaded === 'object' &&
  loaded !== null &&
  functions.every((name) => typeof (loaded as Record<string, unknown>)[name] === 'function')

const firstLine = (reason: unknown): string =>
  (reason instanceof Error ? reason.message : String(reason)).split(/\.?(?:\r?\n|$)/, 1)[0] ?? ''
