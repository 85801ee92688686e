import { BadRequestException, Injectable, type PipeTransform } from '@nestjs/common';

@Injectable()
export class PositiveIntPipe implements PipeTransform<string, number> {
  transform(text: string): number {
    if (!/^[1-9]\d{0,8}$/.test(text)) throw new BadRequestException('id must be a positive integer');
    return Number(text);
  }
}
