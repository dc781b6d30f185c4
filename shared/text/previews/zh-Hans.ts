/** A preview in Chinese: states and the errors that people meet, and English for the rest. */
import type { Translation } from '#shared/text/catalogue'
import type { SharedText } from '#shared/text/current'
import { fixed, named } from '#shared/text/error-text'

export const chinese: Translation<SharedText> = {
  states: {
    preparing: '正在准备',
    waiting: '等待中',
    waitingForYou: '等待您选择',
    connecting: '正在连接',
    reconnecting: '正在重新连接',
    reconnected: '已重新连接',
    deciding: '正在决定',
    sending: '正在发送',
    receiving: '正在接收',
    transferring: '正在传输',
    finishing: '正在收尾',
    paused: '您已暂停',
    pausedByPeer: '对方已暂停',
    interrupted: '已中断',
    verified: '已接收并验证',
    stopped: '已停止',
    stoppedByPeer: '对方已停止',
    declined: '已拒绝',
    canceled: '已取消',
    failed: '失败',
  },
  stalls: {
    network: '没有数据通过',
    peer: '对方电脑没有响应',
    'no-route': '尚未连接，正在重试',
    limit: '受速度限制',
  },
  badCodes: {
    notACode: {
      what: '这不是加入码。',
      remedy: '请按 4821-apple-kayak-onion 的形式输入：一个数字和三个单词。',
    },
  },
  errors: {
    E_SERVER_UNREACHABLE: named(
      (subject) => `服务器 ${subject} 没有响应。`,
      '服务器没有响应。',
      '请检查这台电脑的网络以及设置中的服务器地址。',
    ),
    E_NO_SUCH_CODE: fixed('没有使用此编号的共享。', '请与发送者核对：共享可能已结束。'),
    E_CODE_MISMATCH: fixed('加入码的单词与此共享不符。', '请与发送者逐词核对，然后重新输入。'),
    E_OWN_CODE: fixed('这是您自己的共享。', '请在接收的电脑上输入加入码。'),
    E_NO_ROUTE: fixed(
      '无法连接到对方电脑：网络阻止了直接连接。',
      '请在设置中添加中继，或将两台电脑连接到同一网络。',
    ),
    E_PEER_GONE: fixed(
      '对方电脑不再响应。',
      '请确认它已开机并联网，然后重新开始：已完成的文件会保留。',
    ),
    E_DISK_FULL: fixed(
      '磁盘空间不足。',
      '请腾出空间，或选择其他磁盘上的文件夹；已完成的文件会保留。',
    ),
    E_STOPPED: fixed('对方停止了传输。', '请索取新的加入码以继续：已完成的文件会保留。'),
    E_CANCELLED: fixed('传输已取消。', '可随时重新开始：已完成的文件会保留。'),
    E_DECLINED: fixed('您拒绝了接收。', '如仍想接收，请重新输入加入码。'),
  },
}
