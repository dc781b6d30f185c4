// What a workflow may do, so that nobody who opens a pull request, names a branch or takes over an action's tag gets to say what
// runs with our rights. https://docs.github.com/actions/security-for-github-actions
import { isMap, LineCounter, parseDocument, visit } from 'yaml'

/** Triggers that run with our rights and secrets on what a stranger wrote. */
const refusedTriggers = ['pull_request_target', 'workflow_run', 'issue_comment']

/** What an expression in a script may name: nothing of it comes from an event, a secret or another step. */
const isTrusted = (expression) => /^\s*(matrix|runner)\.[\w.-]+\s*$/.test(expression)

const expressionsOf = (text) => [...text.matchAll(/\$\{\{(.*?)\}\}/gs)].map(([, inside]) => inside)

const writes = (permissions) =>
  permissions === 'write-all'
    ? [['everything', 'write']]
    : Object.entries(permissions ?? {}).filter(([, right]) => right === 'write')

/** However it is written: `secrets.KEY`, `secrets['KEY']`, all of them as JSON, or inherited by a workflow that is called. */
const takesSecrets = (part) =>
  expressionsOf(JSON.stringify(part ?? null)).some((inside) => /\bsecrets\b/.test(inside)) ||
  part?.secrets !== undefined

/** Sentences about one `uses:`; `comment` is what stands behind it on its line. */
function checkAction(uses, comment, { exists }) {
  if (uses.startsWith('./')) return exists(`${uses}/action.yml`) ? [] : [`${uses} is not there`]
  if (!/^[\w.-]+\/[\w./-]+@[0-9a-f]{40}$/.test(uses)) return [`${uses} is not named by its commit`]
  return /^ v\d+\.\d+\.\d+$/.test(comment ?? '') ? [] : [`${uses} lacks its version as a comment`]
}

/** Sentences about one script: what it interpolates, and which of our programs it calls. */
function checkScript(script, { scripts, exists }) {
  const named = (pattern) => [...script.matchAll(pattern)].map(([, name]) => name)
  return [
    ...expressionsOf(script)
      .filter((expression) => !isTrusted(expression))
      .map((expression) => `a script interpolates {{${expression}}}: pass it by env`),
    ...named(/npm run (?:-s |--silent )?([\w:-]+)/g)
      .filter((name) => !Object.hasOwn(scripts, name))
      .map((name) => `package.json has no script ${name}`),
    ...named(/node ((?:scripts|native|bench|e2e)\/[\w./-]+\.mjs)/g)
      .filter((path) => !exists(path))
      .map((path) => `${path} is not there`),
  ]
}

function checkSteps(document, context) {
  const problems = []
  visit(document, {
    Pair(_, { key, value }) {
      if (key?.value === 'uses' && typeof value?.value === 'string')
        problems.push(...checkAction(value.value, value.comment, context))
      if (key?.value === 'run' && typeof value?.value === 'string')
        problems.push(...checkScript(value.value, context))
    },
    Map(_, step) {
      const uses = step.get('uses')
      if (typeof uses !== 'string' || !uses.startsWith('actions/checkout@')) return
      if (step.getIn(['with', 'persist-credentials']) !== false)
        problems.push('a checkout leaves its token behind: persist-credentials: false')
    },
  })
  return problems
}

/** All that may stand beside a secret: files come in and go out. */
const actionsBesideSecrets = /^actions\/(download|upload)-artifact@/

/** A call of npm or Node in a script, which runs whatever packages brought. */
const runsPackages = /(^|[\s;&|("'`/])(npm|npx|node)(?=[\s;&|)"'`]|$)/m

/** Sentences about a job that takes secrets: code of packages, or of the checkout, would read them. */
function checkSecrets(name, { environment, uses, steps = [] }) {
  const called = [uses, ...steps.map((step) => step.uses)].filter(Boolean)
  const scripts = steps.map(({ run = '', shell = '' }) => `${shell}\n${run}`)
  return [
    ...(environment ? [] : [`${name} takes secrets outside of an environment that guards them`]),
    ...called
      .filter((action) => !actionsBesideSecrets.test(action))
      .map((action) => `${name} takes secrets, and ${action} runs beside them`),
    ...(scripts.some((script) => runsPackages.test(script))
      ? [`${name} takes secrets, and runs code of packages: sign in a job of its own`]
      : []),
  ]
}

/** Sentences about the images that a job runs in or beside: a tag may lead to another one tomorrow. */
const checkImages = ({ container, services = {} }) =>
  [container, ...Object.values(services)]
    .filter(Boolean)
    .map((one) => one.image ?? one)
    .filter((image) => !/@sha256:[0-9a-f]{64}$/.test(image))
    .map((image) => `${image} is not named by its digest`)

function checkJob(name, job) {
  const reusable = typeof job.uses === 'string'
  const runsOurs = /actions\/checkout@|\b(npm|npx|node) /.test(JSON.stringify(job))
  return [
    ...(runsOurs && writes(job.permissions).length > 0
      ? [`${name} may write, and runs code of packages: give the right to a job that doesn't`]
      : []),
    ...(reusable || job['timeout-minutes'] > 0 ? [] : [`${name} has no timeout-minutes`]),
    ...(takesSecrets(job) ? checkSecrets(name, job) : []),
    ...checkImages(job),
  ]
}

function checkRights({ on, permissions, env, jobs }) {
  const triggers = typeof on === 'string' ? [on] : Array.isArray(on) ? on : Object.keys(on ?? {})
  return [
    ...triggers
      .filter((trigger) => refusedTriggers.includes(trigger))
      .map((trigger) => `${trigger} runs strangers' work with our rights`),
    ...(permissions && typeof permissions === 'object'
      ? writes(permissions).map(([what]) => `${what}: write is for all jobs: give it to one`)
      : ['permissions are not set: the default may be all']),
    ...(takesSecrets(env) ? ['all jobs take a secret: give it to one'] : []),
    ...Object.entries(jobs ?? {}).flatMap(([name, job]) => checkJob(name, job)),
  ]
}

/**
 * Sentences about what is wrong with the text of a workflow, or of an action of ours; empty if nothing. `scripts` are those of
 * package.json, `exists` says whether the checkout has a path.
 */
export function checkWorkflow(text, context) {
  const document = parseDocument(text, { lineCounter: new LineCounter() })
  if (document.errors.length > 0) return document.errors.map(({ message }) => message)
  if (!isMap(document.contents)) return ['it has no content']
  const content = document.toJS()
  return [...(content.runs ? [] : checkRights(content)), ...checkSteps(document, context)]
}
