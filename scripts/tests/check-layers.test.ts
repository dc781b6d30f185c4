import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderOfTest } from '#client/testing/temporary-folder'
import {
  checkCircles,
  checkCpp,
  checkLayers,
  checkThreads,
  checkTypeScript,
} from '../check-layers.mjs'

const rules = JSON.parse(
  readFileSync(new URL('../layers.json', import.meta.url), 'utf8'),
) as unknown

const ts = (path: string, text: string) => checkTypeScript(path, text, rules)
const cpp = (path: string, text: string) => checkCpp(path, text, rules)

describe('TypeScript folders', () => {
  it.each([
    ['shared/a.ts', "import { x } from '#client/x'", 'shared may not import client'],
    ['shared/a.ts', "import { x } from '../client/x'", 'shared may not import client'],
    ['shared/a.ts', "import fs from 'node:fs'", 'package node:fs'],
    ['shared/a.ts', "export { x } from 'ws'", 'package ws'],
    ['renderer/a.tsx', "import 'node:path'", 'package node:path'],
    ['renderer/a.tsx', "import { client } from '#client/client'", 'renderer may not import client'],
    ['client/a.ts', "const x = require('electron')", 'package electron'],
    ['signaling/a.ts', "await import('#client/client')", 'signaling may not import client'],
    ['signaling/a.ts', "import type { x } from '../cli/x'", 'signaling may not import cli'],
    ['cli/a.ts', "import { useStore } from 'zustand/react'", 'package zustand/react'],
  ])('%s: %s', (path, text, problem) => {
    expect(ts(path, `\n${text}\n`)).toEqual([expect.stringContaining(`${path}:2: `)])
    expect(ts(path, text)[0]).toContain(problem)
  })

  it.each([
    ['shared/a.ts', "import { z } from 'zod'"],
    ['shared/sub/a.ts', "import { x } from '../b'"],
    ['client/a.ts', "import type { Engine } from '#native'"],
    ['shared/signaling/a.ts', "import { sign } from 'node:crypto'"],
    ['client/a.ts', "import { start } from '#signaling/server'"],
    ['electron/main/a.ts', "import { app } from 'electron'"],
    ['renderer/a.tsx', "import { Root } from '@radix-ui/react-dialog'"],
  ])('%s may say %s', (path, text) => {
    expect(ts(path, text)).toEqual([])
  })
})

describe('circles of imports', () => {
  const circlesIn = (texts: Readonly<Record<string, string>>): readonly string[] =>
    checkCircles(new Map(Object.entries(texts)))

  it.each([
    [
      { 'shared/a.ts': "import { b } from './b'", 'shared/b.ts': "import { a } from '#shared/a'" },
      'shared/a.ts -> shared/b.ts -> shared/a.ts',
    ],
    [
      {
        'cli/text/index.ts': "import { ko } from './ko'",
        'cli/text/ko.ts': "import type { Catalogue } from '.'",
      },
      'cli/text/index.ts -> cli/text/ko.ts -> cli/text/index.ts',
    ],
    [
      {
        'renderer/tests/a.test.tsx': "import { b } from './b.ts'",
        'renderer/tests/b.ts': "export { c } from './c'",
        'renderer/tests/c/index.tsx': "type A = import('../a.test').A",
      },
      'renderer/tests/a.test.tsx -> renderer/tests/b.ts -> renderer/tests/c/index.tsx -> renderer/tests/a.test.tsx',
    ],
  ])('%j', (texts, circle) => {
    expect(circlesIn(texts)).toEqual([expect.stringContaining(circle)])
  })

  it('are all reported, also when they are imported from outside', () => {
    const texts = {
      'shared/top.ts': "import './a'\nimport './c'",
      'shared/a.ts': "import './b'",
      'shared/b.ts': "import './a'\nimport './c'",
      'shared/c.ts': "import './d'",
      'shared/d.ts': "import './c'",
    }
    expect(circlesIn(texts)).toHaveLength(2)
  })

  it('do not include two files that import a third', () => {
    const texts = {
      'shared/a.ts': "import './b'\nimport './c'\nimport 'zod'\nimport './gone'",
      'shared/b.ts': "import './c'",
      'shared/c.ts': '',
    }
    expect(circlesIn(texts)).toEqual([])
  })

  it('fail the check of a checkout', () => {
    const dir = folderOfTest()
    mkdirSync(join(dir, 'shared'))
    writeFileSync(join(dir, 'shared', 'a.ts'), "import type { B } from './b'")
    expect(checkLayers(dir)).toEqual([])
    writeFileSync(join(dir, 'shared', 'b.ts'), "import type { A } from './a'")
    expect(checkLayers(dir)).toEqual([expect.stringContaining('shared/b.ts -> shared/a.ts')])
  })
})

describe('C++ layers', () => {
  it.each([
    ['base', '#include "wire/varint.h"', 'base may not include wire'],
    ['transfer', '#include "fs/disk_pool.h"', 'transfer may not include fs'],
    ['transfer', '#include <ngtcp2/ngtcp2.h>', 'only in quic'],
    ['quic', '  #  include <nice/agent.h>', 'only in path'],
    ['engine', '#include <napi.h>', 'only in napi'],
    ['engine', '#include "napi/convert.h"', 'engine may not include napi'],
    ['pairing', '#include <openssl/evp.h>', 'only in crypto, quic'],
    ['quic', '#include <sodium.h>', 'only in crypto, pairing'],
    ['target', '#include <blake3.h>', 'only in crypto'],
    ['engine', '#include "target/part_store.h"', 'only in target'],
    ['engine', '#include "journal/journal.h"', 'engine may not include journal'],
    ['journal', '#include "target/segments/segment_writer.h"', 'journal may not include target'],
    ['napi', '#include <uv.h>', 'nowhere'],
    ['extra', '', 'not a layer'],
  ])('%s: %s', (layer, text, problem) => {
    expect(cpp(`native/src/${layer}/a.cc`, text)).toEqual([expect.stringContaining(problem)])
  })

  it.each([
    ['wire', '#include "base/bytes.h"\n#include "wire/varint.h"\n#include <vector>'],
    ['crypto', '#include <openssl/evp.h>\n#include <blake3.h>\n#include <sodium.h>'],
    ['napi', '#include "engine/engine.h"\n#include <napi.h>'],
  ])('%s may say %s', (layer, text) => {
    expect(cpp(`native/src/${layer}/a.cc`, text)).toEqual([])
  })
})

describe('threads', () => {
  const threads = (path: string, text: string) => checkThreads(path, text, rules)

  it.each([
    ['native/src/transfer/a.cc', '#include <thread>'],
    ['native/tests/quic/a_test.cc', '#include <future>'],
    ['native/tests/sim/a_test.cc', '#include "fs/disk_pool.h"'],
    ['native/tests/crash/a_test.cc', '#include "engine/engine.h"'],
  ])('%s: %s', (path, text) => {
    expect(threads(path, text)).toEqual([expect.stringContaining('may start no threads')])
  })

  it.each([
    ['native/src/fs/a.cc', '#include <thread>'],
    ['native/src/napi/a.cc', '#include "engine/engine.h"'],
    ['native/tests/engine/a_test.cc', '#include <thread>\n#include "engine/engine.h"'],
    ['native/tests/transfer/a_threads_test.cc', '#include <thread>'],
    ['native/tests/wire/a_test.cc', '#include <chrono>'],
  ])('%s may say %s', (path, text) => {
    expect(threads(path, text)).toEqual([])
  })
})
