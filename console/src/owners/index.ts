export { OwnerName } from './owner-name.tsx';
export { OwnerPicker, UserPicker } from './owner-picker.tsx';
export { type Owned, TransferDialog } from './transfer-dialog.tsx';
