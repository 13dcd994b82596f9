export * from '../../model/left-behind.ts';
