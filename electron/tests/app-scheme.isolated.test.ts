import { describe, expect, it, vi } from 'vitest'

vi.mock('electron', () => ({ protocol: {} }))

const { contentPolicy, pageFile } = await import('../main/app-scheme')

const root = '/opt/thruflux/renderer'

describe('pageFile', () => {
  it.each([
    ['app://thruflux/index.html', '/opt/thruflux/renderer/index.html'],
    ['app://thruflux/assets/index-1a2b.js?v=1#x', '/opt/thruflux/renderer/assets/index-1a2b.js'],
    ['app://thruflux/assets/../index.html', '/opt/thruflux/renderer/index.html'],
  ])('finds %s', (address, file) => {
    expect(pageFile(root, address)).toBe(file)
  })

  it.each([
    'app://thruflux/%2e%2e%2f%2e%2e%2fetc/passwd',
    'app://thruflux/..%2F..%2Fetc%2Fpasswd',
    'app://thruflux/..%5C..%5Cetc',
    'app://thruflux/index.html%00.js',
    'app://thruflux/%zz',
    'app://elsewhere/index.html',
  ])('has nothing for %s', (address) => {
    expect(pageFile(root, address)).toBeNull()
  })
})

describe('contentPolicy', () => {
  it('allows nothing by default and no inline code', () => {
    expect(contentPolicy).toMatch(/^default-src 'none';/)
    expect(contentPolicy).not.toMatch(/unsafe|https?:|\*/)
  })
})
