/** A preview in Japanese: states and the errors that people meet, and English for the rest. */
import type { Translation } from '#shared/text/catalogue'
import type { SharedText } from '#shared/text/current'
import { fixed, named } from '#shared/text/error-text'

export const japanese: Translation<SharedText> = {
  states: {
    preparing: '準備中',
    waiting: '待機中',
    waitingForYou: '選択を待っています',
    connecting: '接続中',
    reconnecting: '再接続中',
    reconnected: '再接続しました',
    deciding: '検討中',
    sending: '送信中',
    receiving: '受信中',
    transferring: '転送中',
    finishing: '仕上げ中',
    paused: '一時停止中',
    pausedByPeer: '相手が一時停止中',
    interrupted: '中断',
    verified: '受信と検証が完了',
    stopped: '停止',
    stoppedByPeer: '相手が停止',
    declined: '辞退',
    canceled: 'キャンセル',
    failed: '失敗',
  },
  stalls: {
    network: 'データが届いていません',
    peer: '相手のコンピューターが応答しません',
    'no-route': 'まだ接続できません。再試行中',
    limit: '速度制限中',
  },
  badCodes: {
    notACode: {
      what: '参加コードではありません。',
      remedy: '4821-apple-kayak-onion のように、数字と 3 つの単語を入力してください。',
    },
  },
  errors: {
    E_SERVER_UNREACHABLE: named(
      (subject) => `サーバー ${subject} が応答しません。`,
      'サーバーが応答しません。',
      'このコンピューターのネットワークと、設定のサーバーアドレスを確認してください。',
    ),
    E_NO_SUCH_CODE: fixed(
      'この番号の共有はありません。',
      '送信者に確認してください。共有が終了した可能性があります。',
    ),
    E_CODE_MISMATCH: fixed(
      'コードの単語がこの共有と一致しません。',
      '単語を一つずつ確認して、もう一度入力してください。',
    ),
    E_OWN_CODE: fixed('自分の共有です。', '受信するコンピューターでコードを入力してください。'),
    E_NO_ROUTE: fixed(
      '相手のコンピューターに接続できません。ネットワークが直接接続を遮断しています。',
      '設定でリレーを追加するか、両方を同じネットワークに接続してください。',
    ),
    E_PEER_GONE: fixed(
      '相手のコンピューターが応答しなくなりました。',
      '電源と接続を確認して、もう一度始めてください。受信済みのファイルは残っています。',
    ),
    E_DISK_FULL: fixed(
      'ディスクの空きが足りません。',
      '空きを作るか、別のディスクのフォルダーを選んでください。受信済みのファイルは残っています。',
    ),
    E_STOPPED: fixed(
      '相手が転送を停止しました。',
      '再開するには新しいコードをもらってください。受信済みのファイルは残っています。',
    ),
    E_CANCELLED: fixed(
      '転送をキャンセルしました。',
      'いつでもやり直せます。受信済みのファイルは残っています。',
    ),
    E_DECLINED: fixed(
      '受信を辞退しました。',
      'やはり受け取る場合は、コードをもう一度入力してください。',
    ),
  },
}
