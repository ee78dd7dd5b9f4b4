export { OwnerName } from './owner-name.tsx';
export { ActiveUserPicker, OwnerPicker } from './owner-picker.tsx';
export { type Owned, TransferDialog } from './transfer-dialog.tsx';
