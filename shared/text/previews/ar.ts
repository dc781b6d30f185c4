/** A preview in Arabic: states and the errors that people meet, and English for the rest. */
import type { Translation } from '#shared/text/catalogue'
import type { SharedText } from '#shared/text/current'
import { fixed, named } from '#shared/text/error-text'

export const arabic: Translation<SharedText> = {
  states: {
    preparing: 'جارٍ التحضير',
    waiting: 'في الانتظار',
    waitingForYou: 'في انتظارك',
    connecting: 'جارٍ الاتصال',
    reconnecting: 'جارٍ إعادة الاتصال',
    reconnected: 'أُعيد الاتصال',
    deciding: 'يقرر الآن',
    sending: 'جارٍ الإرسال',
    receiving: 'جارٍ الاستلام',
    transferring: 'جارٍ النقل',
    finishing: 'جارٍ الإنهاء',
    paused: 'أوقفته مؤقتًا',
    pausedByPeer: 'أوقفه الطرف الآخر مؤقتًا',
    interrupted: 'انقطع',
    verified: 'تم الاستلام والتحقق',
    stopped: 'توقف',
    stoppedByPeer: 'أوقفه الطرف الآخر',
    declined: 'مرفوض',
    canceled: 'ملغى',
    failed: 'فشل',
  },
  stalls: {
    network: 'لا تمر أي بيانات',
    peer: 'لا يستجيب الحاسوب الآخر',
    'no-route': 'لا اتصال بعد، جارٍ إعادة المحاولة',
    limit: 'أبطأه حدّ السرعة',
  },
  badCodes: {
    notACode: {
      what: 'هذا ليس رمز انضمام.',
      remedy: 'أدخله هكذا: 4821-apple-kayak-onion، رقم وثلاث كلمات.',
    },
  },
  errors: {
    E_SERVER_UNREACHABLE: named(
      (subject) => `لا يستجيب الخادم ${subject}.`,
      'لا يستجيب الخادم.',
      'تحقق من شبكة هذا الحاسوب ومن عنوان الخادم في الإعدادات.',
    ),
    E_NO_SUCH_CODE: fixed(
      'لا توجد مشاركة مفتوحة بهذا الرقم.',
      'تحقق مع المرسل: ربما انتهت المشاركة.',
    ),
    E_CODE_MISMATCH: fixed(
      'كلمات الرمز لا تطابق هذه المشاركة.',
      'تحقق من كل كلمة مع المرسل وأدخل الرمز من جديد.',
    ),
    E_OWN_CODE: fixed('هذه مشاركتك أنت.', 'أدخل الرمز على الحاسوب المستلِم.'),
    E_NO_ROUTE: fixed(
      'تعذّر الاتصال بالحاسوب الآخر: شبكة ما تمنع الاتصال المباشر.',
      'أضف مرحّلًا في الإعدادات، أو صِل الحاسوبين بالشبكة نفسها.',
    ),
    E_PEER_GONE: fixed(
      'توقف الحاسوب الآخر عن الاستجابة.',
      'تأكد من أنه يعمل ومتصل ثم ابدأ من جديد: الملفات المكتملة محفوظة.',
    ),
    E_DISK_FULL: fixed(
      'لا توجد مساحة كافية على القرص.',
      'أفرغ مساحة أو اختر مجلدًا على قرص آخر؛ الملفات المكتملة محفوظة.',
    ),
    E_STOPPED: fixed(
      'أوقف الطرف الآخر النقل.',
      'اطلب رمزًا جديدًا للاستئناف: الملفات المكتملة محفوظة.',
    ),
    E_CANCELLED: fixed('أُلغي النقل.', 'ابدأه من جديد متى شئت: الملفات المكتملة محفوظة.'),
    E_DECLINED: fixed('لقد رفضت العرض.', 'أدخل الرمز من جديد إن أردت استلامه.'),
  },
}
