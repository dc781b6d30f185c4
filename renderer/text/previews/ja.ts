/** A preview in Japanese: the main screens, and English for the rest. */
import { formatBytes, formatBytesOf, formatCount } from '#shared/format'
import type { Translation } from '#shared/text/catalogue'
import type { Catalogue } from '..'
import { isolated, spelledCode } from '../names'

const person = (name: string): string => (name === '' ? 'だれか' : isolated(name))

const files = (count: number) => `ファイル ${formatCount(count)} 個`

const people = (count: number) => `${formatCount(count)} 人`

export const japanese: Translation<Catalogue> = {
  person,
  actions: {
    cancel: 'キャンセル',
    change: '変更',
    close: '閉じる',
    collapse: '折りたたむ',
    copied: 'コピーしました',
    copy: 'コピー',
    delete: '削除',
    done: '完了',
    expand: '広げる',
    pause: '一時停止',
    pauseAll: 'すべて一時停止',
    resume: '再開',
    save: '保存',
    showFolder: 'フォルダーで表示',
    tryAgain: 'もう一度試す',
  },
  lists: { files, more: (count) => `ほか ${formatCount(count)} 個` },
  progress: {
    timeLeft: (duration) => `残り ${duration}`,
    received: ({ bytes, totalBytes }) => `${formatBytesOf(bytes, totalBytes)} 受信済み`,
    tryingDirect: '直接接続を試しています',
  },
  route: {
    local: 'ローカルネットワーク',
    direct: '直接',
    directIpv6: '直接 (IPv6)',
    relayed: 'リレー経由',
    relayedTcp: 'リレー経由 (TCP)',
  },
  server: {
    idle: '準備完了',
    embedded: 'このコンピューターで準備完了',
    connected: (host) => `${host} で準備完了`,
    unreachable: (host) => `${host} が応答しません`,
  },
  home: {
    title: 'ファイルをここにドロップ',
    about:
      'すぐに参加コードが表示されます。コードを入力した人は、このコンピューターから直接ファイルを受け取ります。',
    send: '送信',
    receive: '受信',
    chooseFiles: 'ファイルを選択',
    chooseFolder: 'フォルダーを選択',
    sendText: 'テキストを送信',
    firstTime:
      '両方のコンピューターで Thruflux を開き、一方で共有し、もう一方でコードを入力してください。',
  },
  transfers: { title: '転送', dropMore: 'ファイルはどこにでもドロップできます。' },
  drop: {
    title: 'ドロップして共有',
    about: 'すぐに参加コードが表示されます。',
    orAdd: '開いている共有にドロップすると、そこに追加されます。',
  },
  codeField: {
    label: 'コードをお持ちですか？ここに入力または貼り付けてください。',
    name: '参加コード',
    placeholder: 'コードを入力',
    join: '参加',
    wrongWord: (word) => `「${word}」は参加コードの単語ではありません。`,
    checkWord: '送信者に確認してください。',
    didYouMean: 'もしかして',
    suggestions: '候補の単語',
  },
  joinLink: {
    open: 'QR コード',
    title: '参加リンク',
    picture: '参加リンクの QR コード',
    copy: 'リンクをコピー',
  },
  share: {
    stop: '共有を停止',
    more: 'その他',
    codeHint: '参加コードです。読み上げるか、クリックしてコピーしてください。',
    codeLabel: '参加コード',
    copyCode: 'コードをコピー',
    newCode: '新しいコード',
    opening: 'コードを取得中',
    add: '追加',
    addFiles: 'ファイル',
    addFolder: 'フォルダー',
    addText: 'テキスト',
    contents: '共有中の項目',
    showContents: '内容',
    counting: 'ファイルを数えています',
    stillCounting: '集計中',
    sharedNow: '共有したばかり',
    preparing: '準備中',
    waiting: 'コードの入力を待っています',
    moreCanJoin: '同じコードで、あとからほかの人も参加できます。',
    noOneJoined: '参加者なし',
    codeName: (code) => `参加コード ${spelledCode(code)}. コピー`,
    sharedAgo: (duration) => `${duration}前から共有中`,
    people,
  },
  receivers: {
    title: '受信者',
    count: (count: number) => `受信者 ${formatCount(count)} 人`,
    totalSpeed: (rate) => `合計 ${rate}`,
    disconnect: (name) => `${person(name)}さんの接続を切る`,
    reviewing: 'ファイルを確認中',
    via: (relay) => `${relay} 経由`,
  },
  preview: {
    title: ({ name, files: count }) => `${person(name)}さんが${files(count)}を送ろうとしています`,
    titleOfText: (name) => `${person(name)}さんがテキストを送ろうとしています`,
    verifiedByCode: 'コードで確認済み',
    choose: '受け取る項目を選択',
    saveTo: '保存先',
    checking: 'フォルダーを確認中',
    moreOptions: 'その他のオプション',
    nothingYet: '承認するまで何も保存されません。',
    decline: '辞退',
    skipped: 'スキップ',
    filesWanted: ({ files: count, totalFiles }) => `${files(totalFiles)} 中 ${formatCount(count)}`,
    needed: (bytes) => `${formatBytes(bytes)} 必要`,
    freeAfter: (bytes) => `受信後の空き ${formatBytes(bytes)}`,
    receive: (bytes) => `${formatBytes(bytes)} を受信`,
    policies: {
      'keep-both': '両方残す',
      replace: '置き換える',
      'replace-older': '古いものを置き換える',
      skip: 'スキップ',
    },
  },
  receive: {
    from: (name) => `${person(name)}さんから`,
    fromTo: ({ name, directory }) => `${person(name)}さんから ${directory} へ`,
    figures: { received: '受信済み', speed: '現在の速度', left: '残り' },
  },
  interrupted: { title: '中断', about: '受信した分は残っています。', enterCode: 'コードを入力' },
  result: {
    averageSpeed: '平均速度',
    files: 'ファイル',
    received: '受信',
    time: '時間',
    route: '経路',
    savedTo: '保存先',
  },
}
