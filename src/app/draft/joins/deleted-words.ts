import { splitColumnName } from '../columns/header-words.ts';

/** Returns the texts, given between commas, as the words of a column's name are compared. */
function namesOf(texts: string): ReadonlySet<string> {
  return new Set(texts.split(',').map((text) => splitColumnName(text).join('')));
}

/** Words for a row that its system regards as deleted, in the languages whose headers a draft knows. */
const deleted = `deleted, gelöscht, geloescht, eliminado, eliminada, borrado, borrada, suprimido, supprimé, supprimée,
  supprimé(e), eliminato, eliminata, excluído, excluída, verwijderd, gewist, usunięty, usunięta, usunięte, usunięto,
  skasowany, silindi, silinmiş, dihapus, terhapus, dipadam, raderad, borttagen, slettet, poistettu, smazáno, smazaný,
  odstraněno, törölt, удалён, удален, удалено, удалена, пометка удаления, пометка на удаление, помечен на удаление,
  видалено, видалений, محذوف, تم الحذف, 删除, 已删除, 是否删除, 是否已删除, 删除标志, 删除标记, 刪除, 已刪除, 是否刪除, 削除,
  削除済み, 削除済, 削除フラグ, 삭제, 삭제됨, 삭제여부, 삭제 여부`;

/** Names of columns in which a checkbox marks a deleted row. */
export const deletedNames = namesOf(`${deleted}, soft deleted, is archived, trashed, is removed`);

/** Names of columns with the time at which a row was deleted; it is not deleted where they are empty. */
export const deletionTimes = namesOf(
  `deleted at, deleted on, deletion date, date deleted, gelöscht am, geloescht am, löschdatum, fecha de eliminación,
   eliminado el, fecha de borrado, borrado el, supprimé le, date de suppression, data di eliminazione, eliminato il,
   data de exclusão, excluído em, data de eliminação, verwijderd op, datum verwijderd, usunięto dnia, data usunięcia,
   silinme tarihi, tanggal dihapus, tarikh dipadam, дата удаления, дата видалення, تاريخ الحذف, 删除时间, 删除日期,
   刪除時間, 刪除日期, 削除日時, 削除日, 삭제일, 삭제일시, 삭제 일시`,
);

/** Words for a row that was put away, but may still be a contact. */
const archived = `archived, archiviert, archivado, archivada, archivé, archivée, archivé(e), archiviato, archiviata,
  arquivado, arquivada, gearchiveerd, zarchiwizowany, zarchiwizowane, arşivlendi, arşiv, diarsipkan, diarkib, arkiverad,
  arkiveret, arkivert, arkistoitu, archivováno, архив, в архиве, архивный, архивирован, مؤرشف, 已归档, 归档, 已歸檔, 歸檔,
  アーカイブ, アーカイブ済み, 보관, 보관됨`;

/** Words for the bin of a system, or for a removal that may mean something else. */
const binned = `trash, in trash, trashed, is trashed, bin, recycle bin, removed, papierkorb, im papierkorb, entfernt,
  papelera, en papelera, corbeille, cestino, cancellato, cancellata, rimosso, lixeira, apagado, removido, prullenbak, kosz,
  w koszu, çöp kutusu, sampah, корзина, в корзине, удалённый, кошик, سلة المحذوفات, 回收站, 資源回收桶, ゴミ箱, 휴지통`;

/** Words for a row that became part of another. */
const merged = `merged, zusammengeführt, zusammengefuehrt, fusionado, fusionada, combinado, fusionné, fusionnée, fusionné(e),
  unito, mesclado, mesclada, unificado, samengevoegd, scalony, scalono, birleştirildi, digabung, digabungkan, sammanslagen,
  flettet, объединён, объединен, слит, дубль, об'єднано, مدمج, 已合并, 已合併, 統合済み, 병합됨`;

/** Names of columns that may mark rows which are no longer contacts. */
export const doubtfulNames = namesOf(`${archived}, ${binned}, ${merged}`);

/** Names of columns with the time of such a mark. */
export const doubtfulTimes = namesOf(
  `archived at, archived on, archive date, date archived, trashed at, trashed on, removed at, removed on, merged at,
   merged on, date merged, archiviert am, archivado el, archivé le, archiviato il, arquivado em, gearchiveerd op,
   дата архивации, дата объединения, 归档时间, アーカイブ日時`,
);

/** Names of columns with the id of the row that a row was merged into. */
export const mergedInto = namesOf(
  `merged into, merged into id, merged into contact, merged into contact id, merged into record, merged to, merged to id,
   merged with, merged with id, merge target, merge target id, master record id, master record, master id, duplicate of,
   duplicate of id, dublette von, duplikat von, zusammengeführt mit, zusammengeführt in, duplicado de, fusionado con,
   fusionado en, doublon de, fusionné avec, fusionné dans, duplicato di, unito a, mesclado com, mesclado em, duplicaat van,
   samengevoegd met, samengevoegd in, duplikat, scalony z, scalono z, birleştirilen kayıt, digabung ke, digabung dengan,
   объединён с, объединен с, слит с, дубль записи, 合并到, 合并至, 合併到, 統合先, 統合先id, マージ先, 병합 대상`,
);

/** Names of columns in which a checkbox that is not set marks a row which is no longer in use. */
export const activeNames = namesOf(
  `active, is active, enabled, is enabled, aktiv, ist aktiv, activo, activa, activado, actif, active(e), activé, attivo,
   attiva, ativo, ativa, actief, aktywny, aktywna, aktif, активен, активный, 有効, 启用, 啟用, 활성`,
);

/** Words for a row that is no longer in use. */
const inactive = `inactive, not active, deactivated, disabled, inaktiv, deaktiviert, inactivo, inactiva, desactivado,
  desactivada, inactif, inactive(e), désactivé, désactivée, inattivo, inattiva, disattivato, inativo, inativa, desativado,
  inactief, nieaktywny, nieaktywna, pasif, tidak aktif, неактивен, неактивный, отключён, отключен, 停用, 無効, 비활성`;

/** Values of a status that say that a row is deleted, put away, merged or no longer in use. */
export const goneStates = namesOf(`${deleted}, ${archived}, ${binned}, ${merged}, ${inactive}`);

/** Words beside "deleted" with which it still is about the row itself, and not about its photo or address. */
export const rowWords: ReadonlySet<string> = new Set(
  `is was soft marked as crm row record contact person customer client lead user member subscriber ist wurde kontakt kunde
   datensatz es esta contacto cliente registro est enregistrement contatto klant klient kayit kontak контакт клиент
   запись`.split(/\s+/),
);
