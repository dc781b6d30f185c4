/** The system of the module's C library: it has randomness, the time, and nothing else. */

const ok = 0
/** No such descriptor (`errno` in WASI): there are no files, sockets or folders. */
const badDescriptor = 8

/** Returns memory of the module. */
type View = (at: number, size: number) => Uint8Array<ArrayBuffer>

/** Largest request of `getRandomValues`. */
const maxRandomBytes = 65_536

/** The imports that `compiled` lists besides the page's; all others find no file. */
export function wasiImports(
  compiled: WebAssembly.Module,
  view: View,
): Record<string, Record<string, (...values: readonly never[]) => number>> {
  const number32 = (at: number, value: number): void =>
    new DataView(view(at, 4).buffer, at, 4).setUint32(0, value, true)
  const known: Record<string, (...values: readonly never[]) => number> = {
    random_get: (at: number, size: number) => {
      for (let done = 0; done < size; done += maxRandomBytes)
        crypto.getRandomValues(view(at + done, Math.min(maxRandomBytes, size - done)))
      return ok
    },
    clock_time_get: (_clock: number, _precision: bigint, at: number) => {
      const nanoseconds = BigInt(Date.now()) * 1_000_000n
      new DataView(view(at, 8).buffer, at, 8).setBigUint64(0, nanoseconds, true)
      return ok
    },
    // The module has no arguments and no variables.
    environ_sizes_get: (count: number, bytes: number) => {
      number32(count, 0)
      number32(bytes, 0)
      return ok
    },
    environ_get: () => ok,
    proc_exit: (code: number) => {
      throw new Error(`the module ended with ${code}`)
    },
  }
  const imports: Record<string, (...values: readonly never[]) => number> = {}
  const module = 'wasi_snapshot_preview1'
  for (const each of WebAssembly.Module.imports(compiled))
    if (each.module === module) imports[each.name] = known[each.name] ?? (() => badDescriptor)
  return { [module]: imports }
}
