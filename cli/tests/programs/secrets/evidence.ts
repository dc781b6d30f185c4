/** Data that programs leave where others could read it, and the search for secrets in it. */
import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/**
 * The place of an observation: output of programs, the server's log, messages through the server, process
 * information from the system, state directories, temporary files, and received files.
 */
export type Place = 'output' | 'log' | 'frame' | 'process' | 'state' | 'temporary' | 'received'

/** One observation. */
export type Trace = { readonly place: Place; readonly name: string; readonly content: Buffer }

/** Data that must not appear. */
export type Secret = {
  readonly what: string
  readonly content: Buffer
  /** Places where it may appear nevertheless. */
  readonly allowed: readonly Place[]
}

/** A secret of text. */
export const secretText = (what: string, text: string, allowed: readonly Place[] = []): Secret => ({
  what,
  content: Buffer.from(text),
  allowed,
})

/** A key in base64url. */
export const secretKey = (what: string, text: string, allowed: readonly Place[] = []): Secret => ({
  what,
  content: Buffer.from(text, 'base64url'),
  allowed,
})

/** The words of a code, together and in pairs. */
export function wordsOf(code: string): readonly Secret[] {
  const [first, second, third] = code.split('-').slice(1)
  const together = [
    [first, second, third].join(' '),
    `${first}-${second}-${third}`,
    `${first}-${second}`,
    `${second}-${third}`,
  ]
  return together.map((text) => secretText(`words "${text}"`, text))
}

/** A secret that was found, and its place. */
export type Finding = { readonly what: string; readonly as: string; readonly where: string }

/** Every place where a secret appears that it must not. */
export function search(traces: readonly Trace[], secrets: readonly Secret[]): readonly Finding[] {
  const wanted = secrets.map((secret) => ({ secret, forms: formsOf(secret.content) }))
  return traces.flatMap(({ place, name, content }) =>
    wanted
      .filter(({ secret }) => !secret.allowed.includes(place))
      .flatMap(({ secret, forms }) =>
        forms
          .filter(({ bytes }) => content.includes(bytes))
          .map(({ as }) => ({ what: secret.what, as, where: `${place} ${name}` })),
      ),
  )
}

type Form = { readonly as: string; readonly bytes: Buffer }

/** Forms of the content: as it is, and as a part of hexadecimal or base64 data. */
function formsOf(content: Buffer): readonly Form[] {
  const hex = content.toString('hex')
  const inBase64 = [0, 1, 2].map((before) => insideBase64(content, before))
  const texts: readonly (readonly [string, string])[] = [
    ['hex', hex],
    ['hex', hex.toUpperCase()],
    ...inBase64.map((text) => ['base64', text] as const),
    ...inBase64.map((text) => ['base64url', text.replace(/\+/g, '-').replace(/\//g, '_')] as const),
  ]
  return [
    { as: 'raw', bytes: content },
    ...texts.map(([as, text]) => ({ as, bytes: Buffer.from(text) })),
  ]
}

/** The base64 characters that depend on `content` alone, regardless of neighboring bytes. */
function insideBase64(content: Buffer, before: number): string {
  const text = Buffer.concat([Buffer.alloc(before), content]).toString('base64')
  const from = Math.ceil((before * 8) / 6)
  const end = Math.floor(((before + content.length) * 8) / 6)
  return text.slice(from, end)
}

/** Content and path of every file below a folder. */
export function filesBelow(place: Place, folder: string): readonly Trace[] {
  return entriesBelow(folder).flatMap((path) => {
    const isFile = lstatSync(path).isFile()
    const name = relative(folder, path)
    const content = isFile ? readFileSync(path) : Buffer.alloc(0)
    return { place, name, content: Buffer.concat([Buffer.from(`${name}\n`), content]) }
  })
}

/** Files and folders below `folder` that another account can read, write or enter, with their permissions. */
export function openToOthers(folder: string): readonly string[] {
  return [folder, ...entriesBelow(folder)].flatMap((path) => {
    const mode = lstatSync(path).mode & 0o777
    const expected = lstatSync(path).isDirectory() ? 0o700 : 0o600
    return mode === expected ? [] : [`${path} ${mode.toString(8)}`]
  })
}

const entriesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))
