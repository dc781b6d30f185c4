/** Checks of a screen's legibility and accessibility. */
import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'

/** The violations that axe finds, each with its markup; checks all rules by default. */
export async function violationsOf(
  page: Page,
  rules?: string[],
): Promise<readonly (readonly string[])[]> {
  // The usual mode opens a second page, which Electron does not offer to tests.
  const axe = new AxeBuilder({ page }).setLegacyMode()
  // A tooltip is outside all landmarks, and is read with its control.
  axe.exclude('[data-radix-popper-content-wrapper]')
  if (rules !== undefined) axe.withRules(rules)
  const { violations } = await axe.analyze()
  return violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)])
}

/** Texts that are truncated by mistake, and controls outside of the window. */
export const cutTexts = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const found: string[] = []
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth > clientWidth) found.push(`the page is ${String(scrollWidth)} px wide`)
    for (const element of document.querySelectorAll<HTMLElement>(
      'button, h1, h2, label, p, dt, dd',
    )) {
      const box = element.getBoundingClientRect()
      const isShown = box.width > 1 && box.height > 1 && element.closest('.sr-only') === null
      // A switch has no words, and its knob is drawn.
      if (!isShown || element.innerText === '') continue
      const about = `${element.tagName} "${element.innerText.slice(0, 60)}"`
      if (box.left < -1 || box.right > clientWidth + 1) found.push(`${about} leaves the window`)
      // Deliberately truncated texts show the rest in a tooltip.
      if (element.closest('.trunc, .trunc-start, .two-lines, .code-input') !== null) continue
      if (element.querySelector('.trunc, .trunc-start, .two-lines') !== null) continue
      const { overflowX } = getComputedStyle(element)
      if (
        element.scrollWidth > element.clientWidth + 1 &&
        element.clientWidth > 0 &&
        overflowX !== 'auto'
      )
        found.push(`${about} is cut`)
    }
    return found
  })
