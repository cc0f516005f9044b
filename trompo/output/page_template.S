// The page as web/ makes it, or nothing.
        .section .rodata
        .global trompo_page_begin
        .global trompo_page_end
trompo_page_begin:
        .incbin TROMPO_PAGE_FILE
trompo_page_end:
        .byte 0
        .section .note.GNU-stack, "", %progbits
