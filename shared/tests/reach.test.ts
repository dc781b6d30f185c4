import { expect, it } from 'vitest'
import { appError } from '#shared/errors'
import { limitOf, reachOfNext, reachOfShare } from '#shared/reach'
import { defaultSettings } from '#shared/settings/settings'
import { type AppState, emptyState } from '#shared/state/app-state'

const url = 'wss://meet.example.org/v1'
const error = appError('E_SERVER_UNREACHABLE', 'connect ECONNREFUSED 203.0.113.7:443', url)
const state: AppState = emptyState('/downloads')
const away: AppState = { ...state, server: { phase: 'unreachable', url, error } }
const withServer = { given: url, builtIn: [] }

it("is that of the share's server", () => {
  expect(reachOfShare({ server: url }, state)).toEqual({
    ...{ scope: 'anywhere', server: url, error: null },
  })
})

it("is this network without a server, and this computer if the share can't be found there", () => {
  const none = { server: null, error: null }
  expect(reachOfShare({ server: null }, state)).toEqual({ scope: 'network', ...none })
  const localNetwork = { phase: 'blocked', reason: 'port', urls: [] } as const
  for (const network of [localNetwork, { phase: 'off' } as const]) {
    expect(reachOfShare({ server: null }, { ...state, localNetwork: network })).toEqual({
      ...{ scope: 'computer', ...none },
    })
  }
})

it("is limited while the server is away, with the server's reason", () => {
  const share = { server: url, serverAway: true } as const
  expect(reachOfShare(share, state)).toEqual({ scope: 'network', server: url, error: null })
  expect(reachOfShare(share, away)).toEqual({ scope: 'network', server: url, error })
})

it("distinguishes a server that doesn't answer from one that refuses this computer", () => {
  const refusal = appError('E_SERVER_PASSWORD', 'the password is wrong', url)
  expect(limitOf({ scope: 'network', server: null, error: null })).toBe('noServer')
  expect(limitOf({ scope: 'network', server: url, error })).toBe('away')
  expect(limitOf({ scope: 'network', server: url, error: refusal })).toBe('refused')
})

it('is known before anything is shared, from the server in use', () => {
  expect(reachOfNext(state)).toEqual({ scope: 'network', server: null, error: null })
  expect(reachOfNext({ ...state, fixedServers: withServer }).scope).toBe('anywhere')
  expect(reachOfNext({ ...away, fixedServers: withServer })).toEqual({
    ...{ scope: 'network', server: url, error },
  })
  const servers = [
    { name: 'Meet', url: 'wss://meet.example.org', fallbacks: [], stun: [], turn: [] },
  ]
  const network = { ...defaultSettings.network, servers, defaultServer: 'Meet' }
  const settings = { ...defaultSettings, network }
  expect(reachOfNext({ ...state, settings })).toEqual({
    ...{ scope: 'anywhere', server: url, error: null },
  })
})
