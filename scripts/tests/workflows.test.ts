import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { root } from '../lib/cache.mjs'

type Step = { readonly uses?: string; readonly run?: string; readonly with?: object }
type Job = {
  readonly 'timeout-minutes': number
  readonly permissions?: Record<string, string>
  readonly environment?: string
  readonly container?: { readonly image: string }
  readonly steps: readonly Step[]
}
type Workflow = {
  readonly on: Record<string, unknown>
  readonly permissions: object
  readonly jobs: Record<string, Job>
}

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly scripts: Record<string, string>
}
const home = join(root, '.github')
const workflows = readdirSync(join(home, 'workflows')).map((name) => `workflows/${name}`)
const actions = readdirSync(join(home, 'actions')).map((name) => `actions/${name}/action.yml`)
const textOf = (file: string) => readFileSync(join(home, file), 'utf8')
const isThere = (path: string) => existsSync(join(root, path))

const jobs = workflows.flatMap((file) =>
  Object.entries((parse(textOf(file)) as Workflow).jobs).map(([name, job]): [string, Job] => [
    `${file} ${name}`,
    job,
  ]),
)

it.each(workflows)('%s has read permission only, and no trigger that strangers control', (file) => {
  const { on, permissions } = parse(textOf(file)) as Workflow
  for (const trigger of ['pull_request_target', 'workflow_run', 'issue_comment'])
    expect(Object.keys(on)).not.toContain(trigger)
  expect(permissions).toEqual({ contents: 'read' })
})

it.each([...workflows, ...actions])('%s names actions by their commit and version', (file) => {
  for (const [, action] of textOf(file).matchAll(/uses: (.*)/g)) {
    if (action?.startsWith('./')) expect(isThere(`${action}/action.yml`)).toBe(true)
    else expect(action).toMatch(/^[\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
  }
})

it.each([...workflows, ...actions])('%s calls existing files', (file) => {
  for (const [, name] of textOf(file).matchAll(/npm run (?:-s )?([\w:-]+)/g))
    expect(scripts).toHaveProperty([name ?? ''])
  for (const [, path] of textOf(file).matchAll(/node ((?:scripts|native|bench)\/[\w./-]+\.mjs)/g))
    expect([path, isThere(path ?? '')]).toEqual([path, true])
})

it.each(jobs)('%s ends, and runs in an image of a known digest', (_, job) => {
  expect(job['timeout-minutes']).toBeGreaterThan(0)
  if (job.container) expect(job.container.image).toMatch(/@sha256:[0-9a-f]{64}$/)
})

it.each(jobs)('%s interpolates nothing into a script but its matrix and runner', (_, { steps }) => {
  for (const { run = '' } of steps)
    for (const [, inside] of run.matchAll(/\$\{\{(.*?)\}\}/gs))
      expect(inside).toMatch(/^ (matrix|runner)\.[\w.-]+ $/)
})

it.each(jobs)('%s leaves no token behind', (_, { steps }) => {
  for (const step of steps.filter(({ uses }) => uses?.startsWith('actions/checkout@')))
    expect(step.with).toMatchObject({ 'persist-credentials': false })
})

const takesSecrets = (job: Job) => /\$\{\{[^}]*\bsecrets\b/.test(JSON.stringify(job))
const mayWrite = (job: Job) => Object.values(job.permissions ?? {}).includes('write')

it('a step that signs has secrets, and one job may write', () => {
  expect(jobs.filter(([, job]) => takesSecrets(job))).toHaveLength(3)
  expect(jobs.filter(([, job]) => mayWrite(job))).toHaveLength(1)
})

it.each(jobs.filter(([, job]) => takesSecrets(job)))(
  '%s takes secrets only in an environment that guards them',
  (_, { environment }) => {
    expect(environment).toBe('signing')
  },
)

it.each(jobs.filter(([, job]) => takesSecrets(job) || mayWrite(job)))(
  '%s runs no code of packages and of the checkout',
  (_, { steps }) => {
    for (const { uses, run = '' } of steps) {
      if (uses) expect(uses).toMatch(/^actions\/(download|upload)-artifact@/)
      expect(run).not.toMatch(/(^|[\s;&|("'`/])(npm|npx|node)(?=[\s;&|)"'`]|$)/m)
    }
  },
)
