// Reads what `binade vectors multiply --in float8_e5m2` writes, a line `X Y RESULT FLAGS` for each product, and compares.
//
//   iverilog -g2012 -o check multiply.sv check.sv && vvp check +vectors=FILE
module check;
    logic [7:0] x, y, z, expected;
    string      path, flags;
    integer     file, fields, lines, wrong;

    e5m2_multiply dut (.x(x), .y(y), .z(z));

    initial begin
        lines = 0;
        wrong = 0;
        if (!$value$plusargs("vectors=%s", path)) $fatal(1, "+vectors=FILE is missing");
        file = $fopen(path, "r");
        if (file == 0) $fatal(1, "the vectors cannot be read");
        fields = $fscanf(file, "0x%h 0x%h 0x%h %s\n", x, y, expected, flags);
        while (fields == 4) begin
            #1;
            lines = lines + 1;
            if (z !== expected) begin
                wrong = wrong + 1;
                if (wrong <= 10) $display("%h * %h = %h, expected %h", x, y, z, expected);
            end
            fields = $fscanf(file, "0x%h 0x%h 0x%h %s\n", x, y, expected, flags);
        end
        if (!$feof(file)) $fatal(1, "line %0d is no vector", lines + 1);
        $display("%0d vectors, %0d wrong", lines, wrong);
        if (lines == 0 || wrong != 0) $fatal(1, "failed");
        $finish;
    end
endmodule
