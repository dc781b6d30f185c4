/**
 * Checks of the window for people without a pointer: the controls that Tab reaches, and the visibility of the focus.
 */
import type { Page } from '@playwright/test'

declare global {
  /** In the page: the control that had the focus, and its appearance at that time. */
  var focusedBefore: { readonly control: HTMLElement; readonly look: string } | undefined
}

/** More than any view has. */
const maxControls = 250

/** Presses Tab through the whole view, and reports unreachable, nameless and invisible controls. */
export async function keyboardProblems(page: Page): Promise<readonly string[]> {
  await page.evaluate(listControls)
  const names = await namesOf(page)
  const problems = await page.evaluate(pointerOnly)
  for (const [index, name] of names.entries()) {
    if (name === '') problems.push(`has no name: ${await describe(page, index)}`)
  }
  const reached = new Set<number>()
  for (let step = 0; step < maxControls; step += 1) {
    await page.keyboard.press('Tab')
    const { index, problem } = await page.evaluate(lookAtFocus)
    if (problem !== null) problems.push(problem)
    // After the last control Tab starts over.
    if (index !== null && reached.has(index)) break
    if (index !== null) reached.add(index)
  }
  const missed = await page.evaluate(missedControls, [...reached])
  return [...problems, ...missed.map((control) => `is not reached: ${control}`)]
}

/** The name of each listed control in the accessibility tree. */
async function namesOf(page: Page): Promise<readonly string[]> {
  const session = await page.context().newCDPSession(page)
  const { nodes } = await session.send('Accessibility.getFullAXTree')
  const { root } = await session.send('DOM.getDocument', { depth: 0 })
  const { nodeIds } = await session.send('DOM.querySelectorAll', {
    nodeId: root.nodeId,
    selector: '[data-control]',
  })
  const byNode = new Map(
    nodes.map((node) => [node.backendDOMNodeId, String(node.name?.value ?? '')]),
  )
  const names = await Promise.all(
    nodeIds.map(async (nodeId) => {
      const { node } = await session.send('DOM.describeNode', { nodeId })
      return byNode.get(node.backendNodeId) ?? ''
    }),
  )
  await session.detach()
  return names
}

const describe = (page: Page, index: number): Promise<string> =>
  page.evaluate((at) => {
    const control = document.querySelector(`[data-control="${String(at)}"]`)
    return control?.outerHTML.slice(0, 160) ?? ''
  }, index)

/** Numbers the visible controls; of an open sheet only its own. */
function listControls(): void {
  for (const old of document.querySelectorAll('[data-control]')) old.removeAttribute('data-control')
  const controls =
    'button, input, select, textarea, a[href], summary, [tabindex], [role="button"], [role="switch"]'
  const top = document.querySelector('.sheet') ?? document.body
  const shown = [...top.querySelectorAll<HTMLElement>(controls)].filter(
    (control) =>
      control.checkVisibility({ checkOpacity: false, checkVisibilityCSS: true }) &&
      !control.hasAttribute('data-radix-focus-guard') &&
      control.closest('[inert], [aria-hidden="true"]') === null &&
      // In a tree, a grid or a list of tabs, arrow keys move on.
      (control.tabIndex >= 0 ||
        control.closest('[role="tree"], [role="grid"], [role="tablist"]') === null) &&
      // Receives the focus from scripts only.
      !(control.tabIndex < 0 && !control.matches('button, input, select, textarea, a, summary')),
  )
  for (const [index, control] of shown.entries()) control.dataset['control'] = String(index)
}

/** Elements that react to a click but are not part of a control. */
function pointerOnly(): string[] {
  const top = document.querySelector('.sheet') ?? document.body
  const handlers = ['onClick', 'onDoubleClick', 'onPointerDown', 'onMouseDown', 'onContextMenu']
  // Options belong to a field, whose arrow keys choose them.
  const focusable =
    'button, input, select, textarea, a[href], summary, label, [tabindex], [role="option"]'
  return [...top.querySelectorAll<HTMLElement>('*')].flatMap((element) => {
    const key = Object.keys(element).find((name) => name.startsWith('__reactProps$'))
    const props = key === undefined ? {} : (element as unknown as Record<string, object>)[key]
    const reacts = handlers.some((name) => name in (props ?? {}))
    if (!reacts || element.closest(focusable) !== null || element === top) return []
    return [`works with a pointer only: ${element.outerHTML.slice(0, 160)}`]
  })
}

/**
 * The focused control, and a problem with the previous one: whether its focus was visible is judged after it has lost
 * it.
 */
function lookAtFocus(): { readonly index: number | null; readonly problem: string | null } {
  const aboutOf = (control: HTMLElement): string => control.outerHTML.slice(0, 160)
  /** All styles that could show the focus, at the control or around it. */
  const lookOf = (control: HTMLElement): string => {
    const looks: string[] = []
    let element: Element | null = control
    for (let level = 0; level < 6 && element !== null; level += 1) {
      for (const pseudo of [null, '::before', '::after']) {
        const { boxShadow, outline, backgroundColor } = getComputedStyle(element, pseudo)
        looks.push(boxShadow, outline, backgroundColor)
      }
      element = element.parentElement
    }
    return looks.join('|')
  }
  const before = globalThis.focusedBefore
  const problems: string[] = []
  if (before?.control.isConnected === true && lookOf(before.control) === before.look) {
    problems.push(`shows no focus: ${aboutOf(before.control)}`)
  }
  const control = document.activeElement?.closest<HTMLElement>('[data-control]') ?? null
  globalThis.focusedBefore = control === null ? undefined : { control, look: lookOf(control) }
  if (control === null) return { index: null, problem: problems[0] ?? null }
  const { left, top, right, bottom } = control.getBoundingClientRect()
  const [x, y] = [(left + right) / 2, (top + bottom) / 2]
  if (right <= 0 || bottom <= 0 || left >= innerWidth || top >= innerHeight) {
    problems.push(`has the focus outside of the window: ${aboutOf(control)}`)
  }
  const covering = document.elementFromPoint(x, y)
  const isSeen =
    covering === null ||
    control.contains(covering) ||
    covering.contains(control) ||
    covering.closest('.tooltip, label') !== null
  if (!isSeen) problems.push(`has the focus below "${covering.className}": ${aboutOf(control)}`)
  return { index: Number(control.dataset['control']), problem: problems[0] ?? null }
}

function missedControls(reached: readonly number[]): string[] {
  return [...document.querySelectorAll<HTMLElement>('[data-control]')]
    .filter(({ dataset }) => !reached.includes(Number(dataset['control'])))
    .map((control) => control.outerHTML.slice(0, 160))
}
