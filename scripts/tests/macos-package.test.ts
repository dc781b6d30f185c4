import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { infoEntries } from '../../build/macos/info.mjs'
import { signingOf } from '../../build/macos/packager.mjs'
import { serviceType } from '../../client/lan/announcement.ts'
import { root } from '../lib/cache.mjs'

const texts = Object.entries(infoEntries).filter(([key]) => key.endsWith('UsageDescription'))

describe('entries of Info.plist', () => {
  it('name the service that is announced on the local network', () => {
    expect(infoEntries.NSBonjourServices).toEqual([serviceType.replace(/\.local$/, '')])
  })

  it('explain the permissions that the app requests, also in Korean', () => {
    const korean = readFileSync(join(root, 'build/macos/ko.lproj/InfoPlist.strings'), 'utf8')
    const lines = korean.trimEnd().split('\n')
    const keys = lines.map((line) => /^"(\w+)" = "[^"]*[가-힣][^"]*";$/.exec(line)?.[1])
    expect(keys).toEqual(texts.map(([key]) => key))
    for (const [, sentence] of texts) expect(sentence).toMatch(/^Thruflux .*\.$/)
  })

  it('open join links, and share files without becoming anything’s default', () => {
    expect(infoEntries.CFBundleURLTypes[0]?.CFBundleURLSchemes).toEqual(['thruflux'])
    expect(infoEntries.CFBundleDocumentTypes[0]?.LSHandlerRank).toBe('Alternate')
  })
})

describe('signing', () => {
  const certificate = { THRU_MACOS_IDENTITY: 'Developer ID Application: Thruflux' }
  const notary = { APPLE_API_KEY: 'key', APPLE_API_KEY_ID: 'id', APPLE_API_ISSUER: 'issuer' }

  it('by a certificate is hardened and notarized', () => {
    const { osxSign, osxNotarize } = signingOf({ ...certificate, ...notary })
    expect(osxSign).toMatchObject({ identity: certificate.THRU_MACOS_IDENTITY })
    expect(osxSign.optionsForFile()).toMatchObject({ hardenedRuntime: true })
    expect(osxNotarize).toMatchObject({ appleApiKey: 'key' })
  })

  it('does not notarize without the complete key', () => {
    const incomplete = signingOf({ ...certificate, APPLE_API_KEY: 'key' })
    expect(incomplete).not.toHaveProperty('osxNotarize')
    expect(signingOf(notary)).not.toHaveProperty('osxNotarize')
  })

  it('is ad hoc without a certificate', () => {
    const { osxSign } = signingOf({})
    expect(osxSign).toMatchObject({ identity: '-', identityValidation: false })
    expect(osxSign.optionsForFile()).toMatchObject({ hardenedRuntime: false })
  })

  it('lets the app compile JavaScript, and nothing else', () => {
    const file = signingOf({}).osxSign.optionsForFile().entitlements
    // The packager can be started in any folder.
    expect(isAbsolute(file)).toBe(true)
    const script =
      'import json,plistlib,sys; print(json.dumps(plistlib.load(open(sys.argv[1],"rb"))))'
    const parsed: unknown = JSON.parse(
      execFileSync('python3', ['-c', script, file], { encoding: 'utf8' }),
    )
    expect(parsed).toEqual({ 'com.apple.security.cs.allow-jit': true })
  })
})
