import { afterEach, describe, expect, it } from 'vitest'
import { speak } from '#shared/text/current'
import { text } from '../text'
import { isolatedPath } from '../text/names'

describe('a text with plural forms', () => {
  it.each([
    [text.share.people(1), '1 person'],
    [text.share.people(12_480), '12,480 people'],
    [text.preview.title({ name: 'Mina Park', files: 1 }), 'Mina Park wants to send you 1 file'],
    [text.preview.title({ name: '', files: 0 }), 'Someone wants to send you 0 files'],
    [text.preview.existing(1), '1 file already exists'],
    [text.preview.existing(2), '2 files already exist'],
    [text.share.peopleFinished({ finished: 1, people: 1 }), '1 person has finished'],
    [text.share.peopleFinished({ finished: 0, people: 1 }), 'no one has finished'],
    [text.share.peopleFinished({ finished: 1, people: 2 }), '1 of 2 people has finished'],
    [text.share.peopleFinished({ finished: 2, people: 3 }), '2 of 3 people have finished'],
    [text.result.partly({ files: 0, totalFiles: 1 }), "The file wasn't saved."],
    [text.result.partly({ files: 1, totalFiles: 3 }), '1 of 3 files was saved and verified.'],
    [text.contacts.seenDays(1), 'Last seen 1 day ago'],
  ])('is %j', (said, expected) => {
    expect(said).toBe(expected)
  })
})

describe('a name in a sentence', () => {
  it('is isolated when it is right-to-left', () => {
    expect(text.receivers.disconnect('Mina Park')).toBe('Disconnect Mina Park')
    expect(text.receivers.disconnect('שרה')).toBe('Disconnect \u2068שרה\u2069')
  })
})

describe('a path', () => {
  afterEach(() => speak('en', {}))

  it('keeps its slashes in place in right-to-left text', () => {
    expect(isolatedPath('/home/sora')).toBe('/home/sora')
    speak('ar', {})
    expect(isolatedPath('/home/sora')).toBe('\u2066/home/sora\u2069')
  })
})
