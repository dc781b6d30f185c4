import { describe, expect, it } from 'vitest'
import { describeError } from '#shared/describe-error'
import {
  describeMissing,
  describeReceiverEnd,
  describeSenderEnd,
  describeUnsent,
} from '#shared/describe-peer'
import { appError } from '#shared/errors'
import { countLeftOut, leftOutReason } from '#shared/left-out-words'
import { allFetched } from '#shared/testing/figures'

const progress = {
  ...{
    files: 1,
    bytes: 36,
    totalFiles: 2,
    totalBytes: 100,
    transferred: 36,
    ...allFetched,
    samples: [],
  },
}
const bea = { name: 'Bea', progress }

describe('what the sender reads about a receiver', () => {
  it('names the person responsible', () => {
    const what = (code: Parameters<typeof appError>[0]) =>
      describeReceiverEnd(appError(code), bea).what
    expect(what('E_DECLINED')).toBe('Bea declined.')
    expect(what('E_CANCELLED')).toBe('Bea canceled at 36%.')
    expect(what('E_DISK_FULL')).toBe('Bea has too little disk space.')
    expect(what('E_BAD_ARGUMENT')).toBe("Bea chose files in a way that doesn't fit this share.")
    expect(what('E_TARGET_NOT_WRITABLE')).toBe("Bea can't write to the chosen folder.")
  })

  it('handles a person without a name, and an end before any data', () => {
    const nobody = { name: '', progress: null }
    expect(describeReceiverEnd(appError('E_CANCELLED'), nobody).what).toBe('The receiver canceled.')
  })

  it('says what the other side can do, not what this side should', () => {
    for (const code of ['E_DISK_FULL', 'E_TARGET_NOT_WRITABLE', 'E_TARGET_GONE'] as const) {
      expect(describeReceiverEnd(appError(code), bea).remedy).toMatch(/^They can /u)
    }
  })
})

describe('what the receiver reads about the sender', () => {
  it('names the person responsible', () => {
    expect(describeSenderEnd(appError('E_STOPPED'), 'Bea').what).toBe('Bea stopped sharing.')
    expect(describeSenderEnd(appError('E_PEER_GONE'), '').what).toBe(
      'The sender stopped responding.',
    )
    expect(describeSenderEnd(appError('E_DISK_IO'), 'Bea')).toEqual(
      describeError(appError('E_DISK_IO')),
    )
  })
})

describe('what the sender reads about its own files', () => {
  it('says what the sender can do', () => {
    expect(describeUnsent(appError('E_NAME_NOT_ALLOWED', '', 'a'))).toEqual({
      what: '"a" has a name that can\'t be sent.',
      remedy: 'Rename it, then share again.',
    })
    for (const disk of ['/', 'C:\\', 'd:']) {
      expect(describeUnsent(appError('E_NAME_NOT_ALLOWED', '', disk)).what).toContain('whole disk')
    }
    expect(describeUnsent(appError('E_LIMIT_EXCEEDED', '', '')).what).toBe(
      'There are more files and folders than a share can hold, so the rest is left out.',
    )
    expect(describeUnsent(appError('E_LIMIT_EXCEEDED', '', 'a')).what).toContain('"a"')
    expect(describeUnsent(appError('E_LINK_OUTSIDE', '', 'a')).what).toBe(
      '"a" is a link to something outside the share.',
    )
  })
})

describe('what the receiver reads about missing files', () => {
  it('says what to ask the sender for', () => {
    expect(describeMissing(appError('E_PATH_UNREADABLE'))).toEqual({
      what: "A file can't be read on the sender's computer.",
      remedy: 'Ask the sender to check its permissions and share it again.',
    })
    expect(describeMissing(appError('E_PATH_NOT_FOUND', '', 'a')).what).toBe(
      '"a" no longer exists on the sender\'s computer.',
    )
    expect(describeMissing(appError('E_SOURCE_CHANGED', '', 'a'))).toEqual({
      what: '"a" changed after it was shared.',
      remedy: 'Ask the sender to share it again.',
    })
    expect(describeMissing(appError('E_DISK_FULL'))).toEqual(describeError(appError('E_DISK_FULL')))
  })
})

describe('items left out', () => {
  it('are counted by reason', () => {
    const unreadable = { code: 'E_PATH_UNREADABLE', entries: 12, paths: [] } as const
    const link = { code: 'E_LINK_OUTSIDE', entries: 1, paths: ['a'] } as const
    expect(leftOutReason(unreadable)).toBe("12 items can't be read by the sender")
    expect(leftOutReason(link)).toBe('1 link leads outside the share')
    expect(countLeftOut([unreadable, link])).toBe(13)
    expect(leftOutReason({ code: 'E_LIMIT_EXCEEDED', entries: 1001 })).toBe(
      'at least 1,001 items are more than a share can hold',
    )
  })
})
