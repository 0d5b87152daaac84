// Generates two functions of one multiply-add, on pages of their own, and tells their names in one of the ways that profilers and
// debuggers know. The second argument is the way; a third says that only the function "chosen" is under the operator.
#include "guest.h"
#include <elf.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/mman.h>

typedef float (*function)(float, float, float);

// vmovaps xmm3, xmm2; vfmadd231ss xmm3, xmm0, xmm1; vmovaps xmm0, xmm3; ret
static const uint8_t code[] = {0xc5, 0xf8, 0x28, 0xda, 0xc4, 0xe2, 0x79, 0xb9, 0xd9, 0xc5, 0xf8, 0x28, 0xc3, 0xc3};
enum { LENGTH = sizeof code };

static const char *const names[2] = {"chosen", "other"};

// GDB's interface for code made at run time.
struct entry {
    struct entry *next, *previous;
    const void *object;
    uint64_t size;
};
struct {
    uint32_t version, action;
    struct entry *relevant, *first;
} __jit_debug_descriptor = {1, 0, NULL, NULL};
__attribute__((noinline)) void __jit_debug_register_code(void) { __asm__ volatile("" ::: "memory"); }

// A relocatable object of one section, which is where the code is, and one function.
static void tell_debugger(uint8_t *at, const char *name) {
    struct object {
        Elf64_Ehdr header;
        Elf64_Shdr sections[4];
        Elf64_Sym symbols[2];
        char strings[64], section_names[32];
    } *object = calloc(1, sizeof *object);
    struct entry *entry = calloc(1, sizeof *entry);
    CHECK(object && entry);
    memcpy(object->section_names, "\0.text\0.symtab\0.strtab", 23);
    strcpy(object->strings + 1, name);
    object->header = (Elf64_Ehdr){
        .e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
        .e_type = ET_REL, .e_machine = EM_X86_64, .e_version = EV_CURRENT, .e_ehsize = sizeof object->header,
        .e_shoff = offsetof(struct object, sections), .e_shentsize = sizeof(Elf64_Shdr), .e_shnum = 4, .e_shstrndx = 3,
    };
    object->sections[1] = (Elf64_Shdr){
        .sh_name = 1, .sh_type = SHT_NOBITS, .sh_flags = SHF_ALLOC | SHF_EXECINSTR, .sh_addr = (uint64_t)at, .sh_size = LENGTH,
    };
    object->sections[2] = (Elf64_Shdr){
        .sh_name = 7, .sh_type = SHT_SYMTAB, .sh_offset = offsetof(struct object, symbols), .sh_size = sizeof object->symbols,
        .sh_link = 3, .sh_info = 1, .sh_entsize = sizeof(Elf64_Sym),
    };
    object->sections[3] = (Elf64_Shdr){
        .sh_name = 15, .sh_type = SHT_STRTAB, .sh_offset = offsetof(struct object, strings),
        .sh_size = sizeof object->strings + sizeof object->section_names,
    };
    // One table of strings for both: names of sections begin behind those of symbols.
    for (int i = 1; i < 4; i++) object->sections[i].sh_name += sizeof object->strings;
    object->symbols[1] = (Elf64_Sym){
        .st_name = 1, .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), .st_shndx = 1, .st_size = LENGTH,
    };
    entry->object = object;
    entry->size = sizeof *object;
    entry->next = __jit_debug_descriptor.first;
    if (entry->next) entry->next->previous = entry;
    __jit_debug_descriptor.first = __jit_debug_descriptor.relevant = entry;
    __jit_debug_descriptor.action = 1;
    __jit_debug_register_code();
}

static char path[256];

static void tell_profiler(uint8_t *at, const char *name) {
    snprintf(path, sizeof path, "/tmp/perf-%d.map", getpid());
    FILE *map = fopen(path, "a");
    CHECK(map);
    fprintf(map, "%lx %x %s\n", (unsigned long)at, LENGTH, name);
    fclose(map);
}

static int dump = -1;

static void put(const void *bytes, size_t size) { CHECK(write(dump, bytes, size) == (ssize_t)size); }

static void tell_dump(uint8_t *at, const char *name) {
    if (dump < 0) {
        const char *folder = getenv("TMPDIR");
        snprintf(path, sizeof path, "%s/jit-%d.dump", folder ? folder : "/tmp", getpid());
        dump = open(path, O_CREAT | O_TRUNC | O_RDWR, 0600);
        CHECK(dump >= 0);
        uint32_t header[10] = {0x4a695444, 1, sizeof header, EM_X86_64, 0, getpid()};
        put(header, sizeof header);
        CHECK(mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, dump, 0) != MAP_FAILED);
    }
    uint64_t address = (uint64_t)at, numbers[4] = {address, address, LENGTH, 1}, time = 0;
    uint32_t process[2] = {getpid(), getpid()};
    uint32_t prefix[2] = {0, sizeof prefix + sizeof time + sizeof process + sizeof numbers + strlen(name) + 1 + LENGTH};
    put(prefix, sizeof prefix);
    put(&time, sizeof time);
    put(process, sizeof process);
    put(numbers, sizeof numbers);
    put(name, strlen(name) + 1);
    put(at, LENGTH);
}

int main(int count, char **arguments) {
    begin(count, arguments);
    CHECK(count >= 3);
    const char *way = arguments[2];
    int by_name = count > 3, under = emulated;
    for (int number = 0; number < 2; number++) {
        uint8_t *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        CHECK(page != MAP_FAILED);
        memcpy(page + 64, code, LENGTH);
        if (!strcmp(way, "gdb")) tell_debugger(page + 64, names[number]);
        else if (!strcmp(way, "perf")) tell_profiler(page + 64, names[number]);
        else if (!strcmp(way, "jitdump")) tell_dump(page + 64, names[number]);
        else CHECK(!strcmp(way, "nothing"));
        CHECK(mprotect(page, 4096, PROT_READ | PROT_EXEC) == 0);
        emulated = under && (!by_name || (number == 0 && strcmp(way, "nothing")));
        uint32_t state = 11;
        for (int i = 0; i < 20; i++) {
            float a = value(&state), b = value(&state), c = value(&state);
            CHECK(((function)(page + 64))(a, b, c) == expected(a, b, c));
        }
    }
    if (*path) unlink(path);
    return 0;
}
