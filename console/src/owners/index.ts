export { OwnerName } from './owner-name.tsx';
export { OwnerPicker, PersonPicker } from './owner-picker.tsx';
export { type Owned, TransferDialog } from './transfer-dialog.tsx';
