import { describe, expect, it, vi } from 'vitest'
import {
  aptPackages,
  installCommand,
  missingPackages,
  nameOnThisSuite,
  offerAptPackages,
} from '../deps/apt.mjs'
import { Failure } from '../lib/failure.mjs'

it('counts a package as installed by any of its names', () => {
  expect(missingPackages(['make', 'libx1t64|libx1'], new Set(['libx1']))).toEqual(['make'])
})

describe('the name of a package', () => {
  const lists = (...names: string[]) => {
    const known = new Set(names)
    return (name: string) => known.has(name)
  }

  it('is the one that the suite knows', () => {
    const name = (isKnown: (name: string) => boolean) =>
      nameOnThisSuite('libx1t64|libx1', new Set(), isKnown)
    expect(name(lists('libx1t64'))).toBe('libx1t64')
    expect(name(lists('libx1'))).toBe('libx1')
  })

  it('follows the installed packages while there are no package lists', () => {
    const name = (...installed: string[]) =>
      nameOnThisSuite('libx1t64|libx1', new Set(installed), lists())
    expect(name('libc6', 'libssl3t64')).toBe('libx1t64')
    expect(name('libc6', 'libssl3')).toBe('libx1')
  })
})

it('names one command that a user can paste, with sudo or without', () => {
  expect(installCommand(['a', 'b'], true)).toBe(
    'sudo apt-get update && sudo apt-get install --no-install-recommends a b',
  )
  expect(installCommand(['a', 'b'], false)).toBe(
    "su -c 'apt-get update && apt-get install --no-install-recommends a b'",
  )
})

it('requires no test packages for the app', () => {
  const app = [...aptPackages.build, ...aptPackages.app]
  const isOfTests = (name: string) => /gtest|nlohmann|clang|coturn|nftables|xvfb/.test(name)
  expect(app.filter(isOfTests)).toEqual([])
  expect(aptPackages.test.filter(isOfTests)).not.toEqual([])
})

it('continues without packages of tests that can be skipped, and says so', async () => {
  const said = vi.spyOn(console, 'log').mockImplementation(() => undefined)
  await offerAptPackages('proxies', () => Promise.reject(new Failure('no network')))
  expect(said.mock.calls).toEqual([[expect.stringContaining('microsocks are skipped')]])
  await offerAptPackages('proxies', () => Promise.resolve())
  expect(said).toHaveBeenCalledTimes(1)
  await expect(
    offerAptPackages('proxies', () => Promise.reject(new Error('a fault of ours'))),
  ).rejects.toThrow('a fault of ours')
  said.mockRestore()
})
