/** Quitting the app while its process hangs. */
import { expect, test } from '@playwright/test'
import { launch } from '../launch'

test('an app that hangs while quitting exits seconds later', { tag: '@full' }, async () => {
  const { app, close } = await launch()
  await app.evaluate(() => {
    process.on('exit', () => {
      for (;;);
    })
  })
  const ended = app.process()
  await close()
  expect(ended.exitCode).toBe(0)
})
