/** The handlers of the page's commands: each calls the client, a picker, or the desktop. */
import { clipboard, shell } from 'electron'
import type { Client } from '#client/client'
import { ended, type NewPlan } from '#client/session/requests'
import { serverChecker } from '#client/signaling/server-check'
import { type AppError, appError } from '#shared/errors'
import { partsOf } from '#shared/format/text-links'
import type { Args, Handlers } from '#shared/ipc'
import { err, ok, type Result } from '#shared/result'
import { isSafeToOpen } from '#shared/safe-to-open'
import { requestOptionsOf, shareOptionsOf } from '#shared/settings/settings-defaults'
import type { ShareOptions, SourceItem } from '#shared/settings/share-options'
import type { ReceiveId, ResumableReceive, ShareId } from '#shared/state/app-state'
import { findGroup } from '#shared/state/contact-groups'
import type { Recipient } from '#shared/state/nearby'
import { text as words } from '#shared/text/current'
import type { WindowDraft } from '#shared/window-draft'
import { actOf, type Deferred } from './deferred'
import { pickDirectory, pickPaths, pickSaveFile } from './dialogs'
import { historyHandlers } from './history-handlers'
import type { JoinLinks } from './join-links'
import type { PastedImages } from './pasted-images'
import { receivedItem } from './received-item'
import { saveText } from './save-text'
import { settingsHandlers } from './settings-handlers'
import { startDrag } from './start-drag'
import type { TransferLogs } from './transfer-logs'
import type { UpdateHandlers } from './update/app-updates'

/** All handlers except those that also work without an engine. */
export type ClientHandlers = Omit<
  Handlers,
  'restart' | 'copyReport' | 'readNotices' | 'takeRequests' | keyof UpdateHandlers
>

/** Paths for receives come from a picker, the settings or Downloads, never from the page. */
export function createHandlers(
  client: Client,
  links: Pick<JoinLinks, 'take'>,
  logs: Pick<TransferLogs, 'text'>,
  images: Pick<PastedImages, 'share'>,
  deferred: Pick<Deferred, 'defer' | 'undo'>,
): ClientHandlers {
  const chosen = new Map<ReceiveId, string>()
  let draft: WindowDraft | null = null
  const { downloads } = client.snapshot().state
  const { shares, receives } = client
  const coded = (id: ShareId) => shares.get(id) ?? client.requests.get(id)
  const usualOptions = (): ShareOptions => shareOptionsOf(client.snapshot().state.settings.sharing)
  const sharePaths = (
    paths: readonly string[],
    options: Partial<ShareOptions> = {},
    to?: Recipient,
  ) => {
    const offer = { ...usualOptions(), ...options, items: pathItems(paths) }
    if (to === undefined) return client.openShare(offer)
    // The settings for codes don't apply: the people were chosen.
    const sent = { ...offer, invitedOnly: true, oneReceiver: false, approve: false }
    if ('nearby' in to) return client.send({ ...sent, nearby: [to.nearby] })
    if ('contact' in to) return client.send({ ...sent, to: [to.contact] })
    const group = findGroup(client.snapshot().state.contacts, to.group)
    return group === undefined
      ? err(appError('E_BAD_ARGUMENT', 'No contact is in this group any longer.'))
      : client.send({ ...sent, to: group.members.map(({ id }) => id) })
  }
  const usualFolder = (): string => client.snapshot().state.settings.receiving.folder || downloads
  const receiveOf = (id: ReceiveId) =>
    client.snapshot().state.receives.find((receive) => receive.id === id)
  /** The stored entry of the unfinished receive that this one resumes. */
  const continuedBy = (id: ReceiveId) => {
    const transfer = receiveOf(id)?.transfer
    return client.snapshot().state.resumableReceives.find((entry) => entry.transfer === transfer)
  }
  const itemOf = async (id: ReceiveId): Promise<string | null> => {
    const receive = receiveOf(id)
    return receive === undefined ? null : receivedItem(receive)
  }
  const directoryFor = (receive: ReceiveId): string =>
    chosen.get(receive) ?? continuedBy(receive)?.directory ?? usualFolder()
  const planFor = ({ receive, options, selection }: Args<'accept'>): NewPlan => {
    const continued = continuedBy(receive)
    return {
      ...(continued === undefined ? {} : planPart(continued)),
      ...(options === undefined ? {} : { options }),
      // A new selection replaces earlier changes.
      ...(selection === undefined ? {} : { selection, changes: [] }),
      directory: directoryFor(receive),
    }
  }
  /** Stores the choice for the next preview, if the settings say so. */
  const rememberChoice = ({ directory, options }: NewPlan): void => {
    const { rememberLast, conflicts } = client.snapshot().state.settings.receiving
    // Following replaces files by itself, which says nothing about other receives.
    const conflict = options?.follow === true ? conflicts : (options?.conflict ?? conflicts)
    if (!rememberLast || (directory === usualFolder() && conflict === conflicts)) return
    const folder = directory === downloads ? null : directory
    void client.changeSettings({ receiving: { folder, conflicts: conflict } })
  }

  return {
    snapshot: () => ok(client.snapshot()),
    share: ({ paths, options, to }) => sharePaths(paths, options, to),
    pickAndShare: async ({ kind, options, to }) => {
      const paths = await pickPaths(kind)
      if (paths.length === 0) return ok(null)
      return sharePaths(paths, options, to)
    },
    shareText: ({ text, options = usualOptions() }) =>
      client.openShare({ ...options, items: [textItem(text)] }),
    shareImage: ({ png, options }) => images.share(png, (file) => sharePaths([file], options)),
    add: ({ share, paths }) => client.addItems(share, pathItems(paths)),
    pickAndAdd: async ({ share, kind }) => {
      const paths = await pickPaths(kind)
      return paths.length === 0 ? ok(null) : client.addItems(share, pathItems(paths))
    },
    addText: ({ share, text }) => client.addItems(share, [textItem(text)]),
    removeItem: ({ share, item }) => shares.get(share)?.removeItem(item) ?? ended,
    setMaxReceivers: ({ share, count }) => shares.get(share)?.setMaxReceivers(count) ?? ended,
    watchShare: ({ share, watch }) => shares.get(share)?.setWatch(watch) ?? ended,
    changeCode: ({ share, change }) => coded(share)?.changeCode(change) ?? ended,
    renewCode: ({ share, words }) => coded(share)?.renewCode(words) ?? ended,
    request: () => client.request(requestOptionsOf(client.snapshot().state.settings.sharing)),
    pickAndAnswer: async ({ kind, code }) => {
      const paths = await pickPaths(kind)
      // The settings for codes don't apply: the code is someone else's.
      const offer = { ...usualOptions(), approve: false, oneReceiver: false }
      return paths.length === 0
        ? ok(null)
        : client.answer(code, { ...offer, items: pathItems(paths) })
    },
    canShareAgain: async ({ share }) => ok((await client.offerOf(share)) !== null),
    shareAgain: async ({ share }) => {
      const offer = await client.offerOf(share)
      return offer === null ? err(appError('E_NOTHING_TO_SEND')) : client.openShare(offer)
    },
    defer: (request) => deferred.defer(actOf(client, request)),
    undo: () => ok(deferred.undo()),
    disconnectReceiver: ({ share, peer }) => shares.get(share)?.disconnect(peer) ?? ended,
    approveReceiver: ({ share, peer, approved }) =>
      shares.get(share)?.answer(peer, approved) ?? ended,
    pauseShare: ({ share, peer, paused }) => shares.get(share)?.pause(peer, paused) ?? ended,
    pauseReceive: ({ receive, paused }) => receives.get(receive)?.pause(paused) ?? ended,
    setLimits: ({ upload, download }) =>
      client.changeSettings({ network: { uploadLimit: upload, downloadLimit: download } }),
    checkServer: serverChecker({ proxyFor: client.proxyFor }),
    checkNetwork: async ({ part }) => ok(await client.network.check(part)),
    changeSettings: (patch) => client.changeSettings(patch),
    pickReceivingFolder: async () => {
      const directory = await pickDirectory(usualFolder())
      if (directory === null) return ok(null)
      const done = await client.changeSettings({ receiving: { folder: directory } })
      return done.ok ? ok(directory) : done
    },
    ...settingsHandlers(client, () => downloads),
    prepareJoin: ({ nameplate }) => {
      client.preparation.begin(nameplate)
      return ok(null)
    },
    join: ({ code, resumes, agreed }) => client.join(code, resumes, agreed),
    resume: ({ transfer }) => client.resume(transfer),
    listOffer: ({ receive, ...asked }) => receives.get(receive)?.questions.list(asked) ?? ended,
    preflight: async (request) =>
      receives.get(request.receive)?.preflight(planFor(request)) ?? ended,
    accept: (request) => {
      const plan = planFor(request)
      const isNew = continuedBy(request.receive) === undefined
      const accepted = receives.get(request.receive)?.accept(plan) ?? ended
      if (accepted.ok && isNew) rememberChoice(plan)
      return accepted
    },
    select: ({ receive, patterns, wanted }) =>
      receives.get(receive)?.select({ patterns, wanted }) ?? ended,
    prioritize: ({ receive, patterns }) => receives.get(receive)?.prioritize(patterns) ?? ended,
    listFiles: ({ side, query }) =>
      ('receive' in side
        ? receives.get(side.receive)?.questions.listFiles(query)
        : shares.get(side.share)?.listFiles(side.peer, query)) ?? ended,
    cancel: ({ receive }) => receives.get(receive)?.cancel() ?? ended,
    takeLink: () => links.take(),
    pickDirectory: async ({ receive }) => {
      if (receiveOf(receive) === undefined) return err(unknownReceive)
      const directory = await pickDirectory(directoryFor(receive))
      if (directory !== null) chosen.set(receive, directory)
      return ok(directory)
    },
    showFolder: async ({ receive }) => {
      const directory = receiveOf(receive)?.directory ?? null
      if (directory === null) return err(appError('E_BAD_ARGUMENT', 'nothing was received there'))
      const item = await itemOf(receive)
      if (item === null) return open(directory)
      shell.showItemInFolder(item)
      return ok(null)
    },
    viewReceived: async ({ receive }) => {
      const item = await itemOf(receive)
      if (item === null || !isSafeToOpen(item)) return err(notThere)
      return open(item)
    },
    dragReceived: async ({ receive }) => {
      const item = await itemOf(receive)
      if (item === null) return err(notThere)
      startDrag(item)
      return ok(null)
    },
    deletePartial: ({ transfer }) => client.deletePartial(transfer),
    ...historyHandlers(client, sharePaths),
    invite: ({ share, contacts }) => client.invite(share, contacts),
    compareNumber: ({ share, computer, isRight }) =>
      shares.get(share)?.compare(computer, isRight) ?? ended,
    answerNearby: ({ question, isAccepted }) => client.nearby.answer(question, isAccepted),
    requestContact: ({ side }) => client.contacts.request(side),
    renameContact: ({ contact, name }) => client.contacts.rename(contact, name),
    setContactGroups: ({ contact, groups }) => client.contacts.setGroups(contact, groups),
    removeContact: ({ contact }) => client.contacts.remove(contact),
    pickAutoAccept: async ({ contact }) => {
      const known = client.snapshot().state.contacts.find(({ id }) => id === contact)
      if (known === undefined) return err(appError('E_BAD_ARGUMENT', 'there is no such contact'))
      const directory = await pickDirectory(known.autoAccept?.directory ?? usualFolder())
      if (directory === null) return ok(null)
      const done = await client.contacts.setAutoAccept(contact, { ...known.autoAccept, directory })
      return done.ok ? ok(directory) : done
    },
    stopAutoAccept: ({ contact }) => client.contacts.setAutoAccept(contact, null),
    acceptInvitation: (about) => client.contacts.accept(about),
    declineInvitation: (about) => client.contacts.decline(about),
    dismiss: ({ id }) => client.dismiss(id),
    copyLog: async ({ id }) => {
      const log = logs.text(id)
      if (log === null) return err(appError('E_BAD_ARGUMENT', 'there is no log of it'))
      await clipboard.writeText(log)
      return ok(null)
    },
    keepDraft: (begun) => {
      draft = begun
      return ok(null)
    },
    draft: () => ok(draft),
    showStorage: ({ file }) => {
      const isNamed = client.snapshot().state.storage.some((error) => error.file === file)
      if (!isNamed) return err(appError('E_BAD_ARGUMENT', 'nothing is wrong with it'))
      shell.showItemInFolder(file)
      return ok(null)
    },
    copyText: async ({ text }) => {
      await clipboard.writeText(text)
      return ok(null)
    },
    openLink: async ({ receive, link }) => {
      const stands = receiveOf(receive)?.texts.some(({ text }) =>
        partsOf(text).some((part) => part.isLink && part.text === link),
      )
      if (stands !== true) return err(appError('E_BAD_ARGUMENT', 'no received text has this link'))
      return shell.openExternal(new URL(link).href).then(
        () => ok(null),
        (reason: unknown) => err(appError('E_BAD_ARGUMENT', String(reason))),
      )
    },
    saveText: async ({ receive, text, name }) => {
      if (receiveOf(receive) === undefined) return err(unknownReceive)
      const file = await pickSaveFile(directoryFor(receive), name)
      if (file === null) return ok(null)
      const error = await saveText(file, text)
      return error === null ? ok(file) : err(error)
    },
  }
}

const notThere = appError('E_BAD_ARGUMENT', 'What was received is no longer where it was saved.')

async function open(path: string): Promise<Result<null, AppError>> {
  const problem = await shell.openPath(path)
  return problem === '' ? ok(null) : err(appError('E_PATH_NOT_FOUND', problem, path))
}

const unknownReceive = appError('E_BAD_ARGUMENT', 'there is no such receive')

const pathItems = (paths: readonly string[]): readonly SourceItem[] =>
  paths.map((path) => ({ kind: 'path', path }))

const textItem = (text: string): SourceItem => ({ kind: 'text', text, name: words.counted.text })

const planPart = ({ options, selection, changes }: ResumableReceive) => ({
  options,
  selection,
  changes,
})
