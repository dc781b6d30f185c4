import { describe, expect, it } from 'vitest'
import { parseMachO, problemsOf } from '../lib/mach-o.mjs'

/** Shortened output of llvm-objdump. */
const headers = `
Mach header
      magic cputype cpusubtype  caps    filetype ncmds sizeofcmds      flags
MH_MAGIC_64   ARM64        ALL  0x00       DYLIB    17       1368   NOUNDEFS DYLDLINK
Load command 0
      cmd LC_SEGMENT_64
  segname __TEXT
Load command 10
          cmd LC_ID_DYLIB
      cmdsize 48
         name @rpath/thruflux.node (offset 24)
Load command 11
          cmd LC_RPATH
      cmdsize 32
         path @loader_path (offset 12)
Load command 13
       cmd LC_BUILD_VERSION
   cmdsize 32
  platform macos
       sdk 15.5
     minos 13.3
Load command 15
          cmd LC_LOAD_DYLIB
      cmdsize 56
         name /usr/lib/libSystem.B.dylib (offset 24)
Load command 16
          cmd LC_LOAD_DYLIB
      cmdsize 56
         name @rpath/libnice.10.dylib (offset 24)
`
const exported = `
thruflux.node:

Exports trie:
0x00001130  _napi_register_module_v1
0x00001138  _node_api_module_get_api_version_v1
`
const bound = `
Bind table:
segment  section            address    type       addend dylib            symbol
__DATA_CONST __got              0x00004000 pointer         0 libSystem        dyld_stub_binder

Lazy bind table:
__DATA   __la_symbol_ptr    0x00008000 flat-namespace   _napi_create_object
__DATA   __la_symbol_ptr    0x00008008 flat-namespace   _napi_create_object
__DATA   __la_symbol_ptr    0x00008010 libnice          _nice_agent_new
`
const addon = parseMachO({ headers, exported, bound })
const problems = (changes: Partial<typeof addon>, files = ['thruflux.node', 'libnice.10.dylib']) =>
  problemsOf('thruflux.node', { ...addon, ...changes }, files)

describe('a Mach-O file', () => {
  it('is parsed: its libraries, search paths and the names that it expects from the program', () => {
    expect(addon).toEqual({
      platform: 'macos',
      minimum: '13.3',
      id: '@rpath/thruflux.node',
      loads: ['/usr/lib/libSystem.B.dylib', '@rpath/libnice.10.dylib'],
      paths: ['@loader_path'],
      exports: ['_napi_register_module_v1', '_node_api_module_get_api_version_v1'],
      lookedUp: ['_napi_create_object'],
    })
  })

  it('may load libraries next to it', () => {
    expect(problems({})).toEqual([])
  })

  it('may load what every Mac has', () => {
    const frameworks = '/System/Library/Frameworks'
    expect(
      problems({
        loads: ['/usr/lib/libobjc.A.dylib', `${frameworks}/AppKit.framework/Versions/C/AppKit`],
      }),
    ).toEqual([])
  })

  it('is parsed with the chained fixups of newer linkers, too', () => {
    const chained = `
dyld information:
segment      section  address  pointer            type  addend dylib           symbol/vm address
__DATA_CONST __got    0x4D4000 0x8010000000000000 bind  0x0    libSystem       __Unwind_Resume
__DATA_CONST __got    0x4D4008 0x8010000000000001 bind  0x0    flat-namespace  _napi_throw
`
    expect(parseMachO({ headers, exported, bound: chained }).lookedUp).toEqual(['_napi_throw'])
  })

  it.each([
    ['is for a newer system', { minimum: '15.0' }, 'instead of macos 13.3'],
    [
      'has an absolute install name',
      { id: '/tmp/prefix/lib/a.dylib' },
      'has the install name /tmp',
    ],
    ['loads what is not packed', { loads: ['@rpath/libgio-2.0.0.dylib'] }, 'not next to it'],
    ['loads another installation', { loads: ['/opt/lib/libglib.dylib'] }, 'not next to it'],
    [
      'loads what looks like the system',
      { loads: ['/opt/System/Library/Frameworks/A'] },
      'not next to',
    ],
    ['searches elsewhere', { paths: ['@loader_path', '/tmp/lib'] }, 'searches for libraries in'],
    ['expects more than Node-API', { lookedUp: ['_SSL_new'] }, 'expects _SSL_new'],
    ['is not an addon', { exports: [] }, "doesn't export _napi_register_module_v1"],
    [
      'exports names of its libraries',
      { exports: [...(addon.exports as string[]), '_SSL_new'] },
      'exports 1 more names',
    ],
  ])('that %s is refused', (_, changes, problem) => {
    expect(problems(changes)).toContainEqual(expect.stringContaining(problem))
  })

  it('that is a library must not expect names from the program', () => {
    const library = { ...addon, lookedUp: ['_iconv_open'] }
    expect(problemsOf('libnice.10.dylib', library, ['libnice.10.dylib'])).toEqual([
      'expects _iconv_open from the program',
    ])
  })
})
