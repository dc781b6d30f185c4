#!/usr/bin/env node
// metainfo.mjs: writes the AppStream metainfo out/linux/metainfo.xml from build/linux/metainfo.xml and the changelog.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../lib/cache.mjs'
import { readVersions } from '../lib/changelog.mjs'
import { isMain, runMain } from '../lib/failure.mjs'
import { product } from './product.mjs'

/** Pictures of docs/screenshots; the first one is the main picture. */
const pictures = [
  [
    'sharing-receivers',
    'A share with its code and its receivers',
    '참여 코드와 받는 사람들이 보이는 공유',
  ],
  ['preview', 'A preview of the files before receiving them', '받기 전에 미리 보는 내용'],
  ['receiving', 'Files being received', '받고 있는 파일'],
  ['history', 'The history of sent and received files', '보내고 받은 기록'],
]
const pictureSize = { width: 1180, height: 760 }

const escaped = (text) => text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`)

const screenshot = ([name, caption, korean], index) => `
    <screenshot${index === 0 ? ' type="default"' : ''}>
      <caption>${escaped(caption)}</caption>
      <caption xml:lang="ko">${escaped(korean)}</caption>
      <image type="source" width="${pictureSize.width}" height="${pictureSize.height}">${product.screenshots}/${name}-light.png</image>
    </screenshot>`

const release = ({ version, date, summary }) => `
    <release version="${version}" date="${date}">${
      summary === ''
        ? ''
        : `
      <description>
        <p>${escaped(summary)}</p>
      </description>
    `
    }</release>`

/** The day of the last commit, used for an unreleased version. */
function dayOfCommit() {
  const epoch = process.env.SOURCE_DATE_EPOCH
  const seconds =
    epoch ?? execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: root }).toString()
  return new Date(Number(seconds) * 1000).toISOString().slice(0, 10)
}

/** Returns the metainfo with a changelog's `versions`; those without a date get `today`. */
export function metainfo(versions, today) {
  const template = readFileSync(join(root, 'build/linux/metainfo.xml'), 'utf8')
  const values = {
    ...{ id: product.id, name: product.name, homepage: product.homepage },
    developer: product.id.split('.').slice(0, -1).join('.'),
    screenshots: `${pictures.map(screenshot).join('')}\n  `,
    releases: `${versions.map((one) => release({ ...one, date: one.date ?? today })).join('')}\n  `,
  }
  return template.replace(/@(\w+)@/g, (_, name) => values[name])
}

/** Writes the file; returns its path. */
export function writeMetainfo(folder = join(root, 'out', 'linux')) {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, 'metainfo.xml')
  writeFileSync(path, metainfo(readVersions(), dayOfCommit()))
  return path
}

if (isMain(import.meta.url)) runMain(async () => console.log(writeMetainfo()))
