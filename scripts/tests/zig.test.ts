import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { toolScript } from '../deps/zig.mjs'

test('a tool of zig passes its own arguments first and all others as they are', () => {
  const folder = mkdtempSync(join(tmpdir(), "thruflux it's "))
  try {
    const path = join(folder, 'clang')
    writeFileSync(path, toolScript('/bin/echo', 'cc', ['-target', 'a b', "it's"]))
    chmodSync(path, 0o755)
    const output = execFileSync(path, ['-c', 'two  words.c', '$HOME'], { encoding: 'utf8' })
    expect(output).toBe("cc -target a b it's -c two  words.c $HOME\n")
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('the archiver hides from Meson that it supports thin archives', () => {
  const folder = mkdtempSync(join(tmpdir(), 'thruflux-ar-'))
  try {
    const path = join(folder, 'ar')
    writeFileSync(path, toolScript('/bin/echo', 'ar', []))
    chmodSync(path, 0o755)
    expect(() => execFileSync(path, ['-h'], { stdio: 'pipe' })).toThrow()
    expect(execFileSync(path, ['csrD', 'a.a'], { encoding: 'utf8' })).toBe('ar csrD a.a\n')
  } finally {
    rmSync(folder, { recursive: true })
  }
})
