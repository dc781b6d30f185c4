import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../lib/cache.mjs'
import { checkWorkflow } from '../lib/workflow-rules.mjs'

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly scripts: Record<string, string>
}
const context = { scripts, exists: (path: string) => existsSync(join(root, path)) }
const check = (text: string) => checkWorkflow(text, context) as readonly string[]

const home = join(root, '.github')
const files = [
  ...readdirSync(join(home, 'workflows')).map((name) => `workflows/${name}`),
  ...readdirSync(join(home, 'actions')).map((name) => `actions/${name}/action.yml`),
]

it.each(files)('%s keeps to the rules', (file) => {
  expect(check(readFileSync(join(home, file), 'utf8'))).toEqual([])
})

const commit = 'a'.repeat(40)
const workflow = (steps: string, { head = '', job = '' } = {}) => `
on: push
permissions:
  contents: read
${head}
jobs:
  one:
    runs-on: ubuntu-24.04
    timeout-minutes: 5
    ${job}
    steps:
      ${steps}
`

describe('a workflow', () => {
  it.each([
    ['runs our scripts', '- run: npm run check && node scripts/test.mjs'],
    ['names its matrix', '- run: echo ${{ matrix.name }}'],
    ['names actions by commit', `- uses: actions/cache@${commit} # v4.0.0`],
    ['names our own actions', '- uses: ./.github/actions/prepare'],
  ])('that %s is fine', (_, steps) => {
    expect(check(workflow(steps))).toEqual([])
  })

  it.each([
    [
      'interpolates an event',
      '- run: echo ${{ github.event.pull_request.title }}',
      'pass it by env',
    ],
    ['interpolates a secret', '- run: echo ${{ secrets.KEY }}', 'pass it by env'],
    ['interpolates an output', '- run: echo "${{ steps.a.outputs.b }}"', 'pass it by env'],
    ['hides that in a call', '- run: echo ${{ format(github.ref) }}', 'pass it by env'],
    ['names an action by its tag', '- uses: actions/cache@v4', 'not named by its commit'],
    ['does not say which version', `- uses: actions/cache@${commit}`, 'lacks its version'],
    ['keeps the token', `- uses: actions/checkout@${commit} # v4.0.0`, 'leaves its token behind'],
    ['runs a script of nowhere', '- run: npm run nothing-like-it', 'no script nothing-like-it'],
    ['runs a file of nowhere', '- run: node scripts/nowhere.mjs', 'is not there'],
    ['takes an action of nowhere', '- uses: ./.github/actions/nowhere', 'is not there'],
    ['has two jobs of one name', '- run: "true"\n  one: {}', 'unique'],
  ])('that %s is refused', (_, steps, problem) => {
    expect(check(workflow(steps))).toContainEqual(expect.stringContaining(problem))
  })

  it.each([
    ['has no permissions', 'permissions:\n  contents: read', '', 'permissions are not set'],
    ['lets every job write', 'contents: read', 'contents: write', 'give it to one'],
    ['may run for ever', 'timeout-minutes: 5', '', 'no timeout-minutes'],
    ['runs strangers work', 'on: push', 'on: pull_request_target', 'with our rights'],
    ['runs it among others', 'on: push', 'on: [push, workflow_run]', 'with our rights'],
  ])('that %s is refused', (_, from, to, problem) => {
    const text = workflow('- run: "true"').replace(from, to)
    expect(check(text)).toContainEqual(expect.stringContaining(problem))
  })

  it('lets a job write that runs no code of packages', () => {
    const job = 'permissions:\n      contents: write'
    expect(check(workflow('- run: gh release create', { job }))).toEqual([])
    expect(check(workflow('- run: npm run check', { job }))).toContainEqual(
      expect.stringContaining('one may write'),
    )
  })

  it('gives no job all rights that runs code of packages', () => {
    expect(
      check(workflow('- run: npm run check', { job: 'permissions: write-all' })),
    ).toContainEqual(expect.stringContaining('one may write'))
  })

  it.each(['secrets.KEY', "secrets['KEY']", 'toJSON(secrets)'])(
    'takes ${{ %s }} only in an environment that guards it',
    (expression) => {
      const steps = `- run: sign\n        env:\n          KEY: \${{ ${expression} }}`
      expect(check(workflow(steps))).toContainEqual(
        expect.stringContaining('takes secrets outside'),
      )
      expect(check(workflow(steps, { job: 'environment: release' }))).toEqual([])
    },
  )

  describe('a job that takes secrets', () => {
    const key = 'env:\n          KEY: ${{ secrets.KEY }}'
    const beside = (step: string) =>
      check(workflow(`${step}\n      - run: sign\n        ${key}`, { job: 'environment: release' }))

    it('may take files and give them back', () => {
      expect(beside(`- uses: actions/download-artifact@${commit} # v8.0.1`)).toEqual([])
      expect(beside('- run: codesign node.exe && ls node_modules npm.txt')).toEqual([])
    })

    it.each([
      ['- run: npm run package', 'runs code of packages'],
      ['- run: cd build && npx vite', 'runs code of packages'],
      ['- run: /usr/bin/node build.mjs', 'runs code of packages'],
      ['- run: |\n          echo 1\n          node', 'runs code of packages'],
      ['- run: code\n        shell: node {0}', 'runs code of packages'],
      [
        `- uses: actions/checkout@${commit} # v4.0.0\n        with:\n          persist-credentials: false`,
        'actions/checkout',
      ],
      [`- uses: actions/setup-node@${commit} # v7.0.0`, 'actions/setup-node'],
      ['- uses: ./.github/actions/prepare', './.github/actions/prepare'],
    ])('is refused beside %s', (step, problem) => {
      expect(beside(step)).toEqual([expect.stringContaining(problem)])
    })

    it('is refused when a called workflow inherits them', () => {
      const text = `
on: push
permissions: {}
jobs:
  one:
    uses: ./.github/workflows/ci.yml
    secrets: inherit
`
      expect(check(text)).toContainEqual(expect.stringContaining('runs beside them'))
    })
  })

  it.each([
    ['container: node:20-bookworm', 'node:20-bookworm is not named by its digest'],
    ['container:\n      image: node:20-bookworm', 'node:20-bookworm is not named'],
    ['services:\n      redis:\n        image: redis:7', 'redis:7 is not named'],
    ['container: ${{ matrix.image }}', 'is not named by its digest'],
  ])('runs in and beside images of a known digest only: %s', (job, problem) => {
    expect(check(workflow('- run: "true"', { job }))).toEqual([expect.stringContaining(problem)])
    const digest = `sha256:${'a'.repeat(64)}`
    const pinned = job.replace(/(node:20-bookworm|redis:7|\$\{\{.*\}\})$/, `$1@${digest}`)
    expect(check(workflow('- run: "true"', { job: pinned }))).toEqual([])
  })

  it('gives no secret to all jobs', () => {
    const head = 'env:\n  KEY: ${{ secrets.KEY }}'
    expect(check(workflow('- run: "true"', { head }))).toContainEqual(
      expect.stringContaining('all jobs take a secret'),
    )
  })
})
