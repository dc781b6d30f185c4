import { describe, expect, it } from 'vitest'
import { copied, copiers, copySequence } from '../../terminal/clipboard'

const node = (script: string) => ({ program: process.execPath, args: ['-e', script] })
const missing = { program: '/nonexistent/copier', args: [] }
const takesAll = node('process.stdin.resume()')

describe('the clipboard', () => {
  it('is reached by the program of the system', () => {
    const names = (platform: NodeJS.Platform, environment: NodeJS.ProcessEnv) =>
      copiers(platform, environment).map(({ program }) => program)
    expect(names('darwin', {})).toEqual(['pbcopy'])
    expect(names('win32', { SystemRoot: 'D:\\Windows' })).toEqual([
      'D:\\Windows\\System32\\clip.exe',
    ])
    expect(names('win32', {})).toEqual(['C:\\Windows\\System32\\clip.exe'])
    expect(names('linux', {})).toEqual([])
    expect(names('linux', { DISPLAY: ':0' })).toEqual(['xclip', 'xsel'])
    expect(names('linux', { WAYLAND_DISPLAY: 'wayland-0', DISPLAY: ':0' })).toEqual([
      'wl-copy',
      'xclip',
      'xsel',
    ])
  })

  it('uses the next program if one is missing or fails', async () => {
    expect(await copied('x', [missing, node('process.exit(1)'), takesAll])).toBe(true)
    expect(await copied('x', [missing])).toBe(false)
  })

  it('gets the text on standard input, and nothing as argument', async () => {
    const checks = node(
      "let got = ''; process.stdin.on('data', (data) => (got += data)).on('end', () => process.exit(got === 'secret' && !process.argv.includes('secret') ? 0 : 1))",
    )
    expect(await copied('secret', [checks])).toBe(true)
    expect(await copied('other', [checks])).toBe(false)
  })

  it('is offered to a terminal in the form of OSC 52', () => {
    expect(copySequence('a')).toBe('\u001b]52;c;YQ==\u0007')
  })
})
